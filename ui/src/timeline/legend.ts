/** The verdicts that the view shows. Pure. */
import type { Look } from '../verdict/verdict.ts';
import { looks } from '../verdict/verdict.ts';
import { downOrder, kindOf } from './bins.ts';
import type { Bin, TimelineData } from './model.ts';
import type { View } from './view.ts';
import { isIn } from './view.ts';

const all = Object.keys(looks) as Look[];

export function slotLegend({ slots }: Pick<TimelineData, 'slots'>, view: View): readonly Look[] {
  const shown = new Set(slots.filter(({ at }) => isIn(view, at)).map(({ look }) => look));
  return all.filter((look) => shown.has(look));
}

export interface BinLegend {
  readonly above: readonly Look[];
  readonly below: readonly Look[];
}

/** The verdicts of the bins in view, by the side of the line on which they stack. */
export function binLegend(bins: readonly Bin[], { from, to }: View): BinLegend {
  const inView = bins.filter((bin) => bin.to > from && bin.from < to);
  const shown = all.filter((look) => inView.some(({ counts }) => (counts[look] ?? 0) > 0));
  return {
    above: shown.filter((look) => !isBelow(look)),
    below: shown.filter(isBelow),
  };
}

function isBelow(look: Look): boolean {
  const kind = kindOf(look);
  return downOrder.some((each) => each === kind);
}

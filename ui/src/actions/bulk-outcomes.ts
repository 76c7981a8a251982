/** Outcomes of a dry run of many, added up over its requests. Pure. */
import { countText, plural } from '../time/text.ts';

export interface Outcomes {
  readonly outcomes: readonly { readonly count: number; readonly one: string; readonly several: string }[];
  readonly passedOver: { readonly count: number; readonly within: string } | null;
  readonly failed: number;
}

export const noOutcomes: Outcomes = { outcomes: [], passedOver: null, failed: 0 };

export function addedOutcomes(a: Outcomes, b: Outcomes): Outcomes {
  const sums = new Map<string, Outcomes['outcomes'][number]>();
  for (const each of [...a.outcomes, ...b.outcomes])
    sums.set(each.one, { ...each, count: each.count + (sums.get(each.one)?.count ?? 0) });
  const over = [a.passedOver, b.passedOver].filter((each) => each !== null);
  const [first] = over;
  return {
    outcomes: [...sums.values()].sort((x, y) => y.count - x.count),
    passedOver:
      first === undefined ? null : { ...first, count: over.reduce((sum, { count }) => sum + count, 0) },
    failed: a.failed + b.failed,
  };
}

/** The most outcomes that get a sentence of their own; the others are counted together. */
const mostSentences = 6;

export function outcomesText({ outcomes, passedOver }: Outcomes): readonly string[] {
  const shown = outcomes.slice(0, mostSentences);
  const rest = outcomes.slice(mostSentences).reduce((sum, { count }) => sum + count, 0);
  return [
    ...shown.map(({ count, one, several }) => `${countText(count)} ${count === 1 ? one : several}.`),
    ...(rest === 0 ? [] : [`${countText(rest)} have other outcomes.`]),
    ...(passedOver === null
      ? []
      : [`${plural(passedOver.count, 'slot')} will be passed over within ${passedOver.within}.`]),
  ];
}

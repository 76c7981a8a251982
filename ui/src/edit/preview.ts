/** What a spec means, computed in the page by the library that the server schedules with. */
import { dstReport } from 'carillon/doctor';
import type { Instant, ScheduleSpec } from 'carillon/spec';
import { compileSpec, describeSpec, validateSpec, zoneOfSpec } from 'carillon/spec';
import type { SpecDraft } from './draft.ts';

export interface SpecPreview {
  readonly ok: true;
  readonly words: string;
  readonly next: readonly number[];
  readonly clock: readonly ClockNotice[];
}

export interface ClockNotice {
  readonly at: number;
  readonly local: string;
  readonly effect: string;
  readonly text: string;
}

export interface SpecProblems {
  readonly ok: false;
  readonly problems: readonly { readonly path: string; readonly message: string; readonly fix?: string }[];
}

const twoYears = 2 * 366 * 86_400_000;

const effects: Readonly<Record<string, string>> = {
  skipped: 'does not exist, the clock jumps. Left out: no run.',
  shifted: 'does not exist, the clock jumps. It runs later.',
  merged: 'does not exist, and it runs then anyway.',
  doubled: 'comes twice, and it runs twice.',
  first: 'comes twice. It runs the first time.',
  second: 'comes twice. It runs the second time.',
};

interface PreviewOptions {
  readonly count?: number;
  /** The seed of `H`; absent while the schedule has no name. */
  readonly seed?: string | undefined;
}

/** The seed of a schedule as the server derives it; undefined while it has no name. */
export function seedOf(namespace: string, id: string): string | undefined {
  return id === '' ? undefined : `${namespace}-${id}`;
}

export function previewSpec(
  spec: object,
  now: number,
  { count = 10, seed }: PreviewOptions = {},
): SpecPreview | SpecProblems {
  const seeded = seed === undefined ? {} : { seed };
  const checked = validateSpec(spec);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  try {
    const compiled = compileSpec(checked.spec as ScheduleSpec, seeded);
    const next: number[] = [];
    for (let at = now; next.length < count; ) {
      const found = compiled.next(at as Instant);
      if (found === undefined) break;
      next.push(found.nominal);
      at = found.nominal;
    }
    const rows = dstReport(checked.spec as ScheduleSpec, {
      from: now as Instant,
      to: (now + twoYears) as Instant,
      ...seeded,
    });
    return {
      ok: true,
      words: describeSpec(checked.spec as ScheduleSpec, seeded),
      next,
      clock: rows
        .slice(0, 4)
        .map(({ at, local, effect }) => ({ at, local, effect, text: effects[effect] ?? effect })),
    };
  } catch (error) {
    return {
      ok: false,
      problems: [{ path: '', message: error instanceof Error ? error.message : String(error) }],
    };
  }
}

/** The zone in which the times are shown. JSON that cannot be read as a spec may name one too. */
export function zoneOfDraft(spec: SpecDraft): string {
  const checked = validateSpec(spec);
  return checked.ok ? zoneOfSpec(checked.spec) : String(spec.zone ?? 'UTC');
}

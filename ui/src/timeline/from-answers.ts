/** Turns the server's answers into what the timeline draws. Pure. */
import { lengthText } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { isLook, lookOfRun } from '../verdict/verdict.ts';
import type { Bin, Change, RunBar, Slot, Stretch } from './model.ts';
import type { BinsAnswer, RunAnswer, SlotAnswer, StretchesAnswer, TimelineAnswer } from './wire.ts';

const at = (text: string) => Date.parse(text);

/** The nominal times of a stretch of equal verdicts, computed from the spec; undefined when they are not known. */
export type TimesOf = (from: number, to: number, count: number) => readonly number[] | undefined;

/** Without a spec the slots of a stretch stand evenly. */
export const evenly: TimesOf = (from, to, count) =>
  Array.from({ length: count }, (_, place) => from + ((to - from) * place) / Math.max(1, count - 1));

/** The most marks that one stretch becomes. */
const mostMarks = 2000;

export function slotsOf(answer: TimelineAnswer, timesOf: TimesOf = evenly): readonly Slot[] {
  const runs = new Map(answer.runs.map((run) => [run.id, run]));
  const slots = answer.slots.flatMap((slot) => expanded(slot, runs, timesOf));
  const ruledOut = answer.ruledOut.flatMap(({ at: time, verdict }): Slot[] =>
    isLook(verdict) ? [{ at: at(time), look: verdict }] : [],
  );
  const projected = answer.projected.map(
    ({ at: time, tooLong }): Slot => ({
      at: at(time),
      look: tooLong !== undefined && tooLong.runs * 2 >= tooLong.of ? 'likelySkip' : 'notYet',
    }),
  );
  return [...slots, ...ruledOut, ...projected].sort((a, b) => a.at - b.at);
}

function expanded(slot: SlotAnswer, runs: ReadonlyMap<string, RunAnswer>, timesOf: TimesOf): readonly Slot[] {
  const run = slot.runId === undefined ? undefined : runs.get(slot.runId);
  const look = lookOf(slot, run);
  const { blockedBy, ranAs, lateByMs } = slot.detail ?? {};
  const common = {
    look,
    ...(slot.cause === undefined ? {} : { byHand: slot.cause }),
    ...(typeof blockedBy === 'string' ? { blockedBy } : {}),
    ...(ranAs === undefined ? {} : { ranAs: typeof ranAs === 'number' ? ranAs : at(String(ranAs)) }),
    ...(typeof lateByMs === 'number' ? { lateMs: lateByMs } : {}),
  };
  const first = at(slot.at);
  const { count = 1 } = slot;
  if (count === 1) {
    const bar = run === undefined ? undefined : barOf(run, look);
    return [{ at: first, ...common, ...(bar === undefined ? {} : { run: bar }) }];
  }
  const last = at(slot.until ?? slot.at);
  const most = Math.min(count, mostMarks);
  const times = timesOf(first, last, most) ?? evenly(first, last, most) ?? [];
  return times.map((time) => ({ at: time, ...common }));
}

/** The verdict, refined by what its run did. */
export function lookOf({ verdict }: Pick<SlotAnswer, 'verdict'>, run: RunAnswer | undefined): Look {
  if ((verdict === 'started' || verdict === 'startedLate') && run !== undefined) {
    const look = lookOfRun({ state: run.state, outcome: run.outcome ?? null });
    if (look === 'started') return verdict;
    return look;
  }
  return isLook(verdict) ? verdict : 'notInSpec';
}

function barOf(run: RunAnswer, look: Look): RunBar | undefined {
  const start = run.startedAt ?? (run.state === 'waiting' ? run.createdAt : undefined);
  if (start === undefined) return undefined;
  return {
    id: run.id,
    start: at(start),
    end: run.finishedAt === undefined ? null : at(run.finishedAt),
    look,
    attempts: [],
  };
}

export function binsOf(answer: BinsAnswer): readonly Bin[] {
  return answer.bins.map(({ from, to, verdicts, outcomes, projected, medianMs, longestMs }) => ({
    from: at(from),
    to: at(to),
    counts: countsOf(verdicts, outcomes, projected),
    medianMs: medianMs ?? null,
    longestMs: longestMs ?? null,
  }));
}

/** Runs that failed are taken out of those that started: a slot is counted once. */
export function countsOf(
  verdicts: Readonly<Record<string, number>>,
  outcomes: Readonly<Partial<Record<string, number>>>,
  projected = 0,
): Readonly<Partial<Record<Look, number>>> {
  const counts: Partial<Record<Look, number>> = {};
  for (const [verdict, count] of Object.entries(verdicts)) {
    if (isLook(verdict) && count > 0) counts[verdict] = count;
  }
  for (const [outcome, ended = 0] of Object.entries(outcomes)) {
    const look = lookOfRun({ state: 'done', outcome });
    // A run that no worker took ends as timed out; its slot says so already.
    const count = look === 'timedOut' ? ended - (verdicts.noWorker ?? 0) : ended;
    if (look === 'started' || count <= 0) continue;
    let left = count;
    for (const from of ['started', 'startedLate'] as const) {
      const taken = Math.min(left, counts[from] ?? 0);
      if (taken === 0) continue;
      counts[from] = (counts[from] ?? 0) - taken;
      left -= taken;
    }
    counts[look] = (counts[look] ?? 0) + count;
  }
  if (projected > 0) counts.notYet = (counts.notYet ?? 0) + projected;
  return counts;
}

const ruledOutWords: Readonly<Record<string, string>> = {
  excluded: 'Excluded',
  outOfBounds: 'Outside its dates',
};

export function stretchesOf(
  answer: StretchesAnswer,
  now: number,
  from: number,
  step = 0,
): readonly Stretch[] {
  const kept = at(answer.ledgerFrom ?? answer.createdAt);
  const created = at(answer.createdAt);
  return [
    ...(from < created ? [plain(from, created, 'Before it was created')] : []),
    // The first slot comes up to a step after the creation; what is older than that was swept away.
    ...(from < kept && kept - created > 2 * step + minuteMs
      ? [plain(Math.max(from, created), kept, 'Older than the ledger')]
      : []),
    ...answer.silences.map(
      (silence): Stretch => ({
        kind: 'outage',
        from: at(silence.from),
        to: at(silence.to),
        label: 'No node alive',
        note: lengthText(at(silence.to) - at(silence.from)),
      }),
    ),
    ...answer.pauses.map(
      (pause): Stretch => ({
        kind: 'pause',
        from: at(pause.from),
        to: pause.to === null ? (pause.until === null ? now : at(pause.until)) : at(pause.to),
        label: `Paused by ${pause.by === 'policy' ? 'its own rule' : pause.by}`,
        note: pause.note,
      }),
    ),
    ...answer.ruledOut.flatMap(({ from: first, to: last, verdict, count }): Stretch[] => {
      const label = ruledOutWords[verdict];
      if (label === undefined || count < 2) return [];
      return [{ kind: 'excluded', from: at(first), to: at(last) + minuteMs, label }];
    }),
  ];
}

function plain(from: number, to: number, label: string): Stretch {
  return { kind: 'forgotten', from, to, label };
}

export function changesOf(answer: StretchesAnswer): readonly Change[] {
  return [
    ...answer.versions.map(
      ({ number, at: time, by, note, changes }): Change => ({
        kind: number === 1 ? 'created' : 'edit',
        at: at(time),
        label: number === 1 ? 'created' : `v${number}`,
        text: `${number === 1 ? 'Created' : `Version ${number}`}${by === '' ? '' : ` by ${by}`}${
          changes.length === 0 ? '' : `: ${changes.map(({ path }) => path).join(', ')}`
        }${note === '' ? '' : `. “${note}”`}`,
      }),
    ),
    ...answer.clockChanges.map(({ at: time, zone, byMinutes }): Change => {
      const length = lengthText(Math.abs(byMinutes) * minuteMs);
      const way = byMinutes < 0 ? 'back' : 'forward';
      return {
        kind: 'clock',
        at: at(time),
        label: `clock ${way} ${length}`,
        text: `The clock of ${zone} is set ${way} ${length}.`,
      };
    }),
    ...answer.zoneTables.map(
      ({ at: time, before, after }): Change => ({
        kind: 'tz',
        at: at(time),
        label: `tz ${after}`,
        text: `Newer time zone tables: ${after} instead of ${before}.`,
      }),
    ),
  ];
}

/** The usual distance of two slots: the median of the distances of neighbours. */
export function stepOf(times: readonly number[], fallback: number): number {
  const gaps = times
    .slice(1)
    .map((time, place) => time - (times[place] ?? time))
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? fallback;
}

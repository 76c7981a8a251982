/** Turns the server's answers into the data of the timeline. Pure. */
import { lengthText } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { isLook, lookOfRun } from '../verdict/verdict.ts';
import type { Bin, Change, RunBar, Slot, Stretch } from './model.ts';
import type { BinsAnswer, RunAnswer, SlotAnswer, StretchesAnswer, TimelineAnswer } from './wire.ts';

const at = (text: string) => Date.parse(text);

/** The nominal times of a stretch of equal verdicts, computed from the spec; undefined when they are not known. */
export type TimesOf = (from: number, to: number, count: number) => readonly number[] | undefined;

/** Spreads the slots of a stretch evenly, for a schedule whose spec is not known. */
export const evenly: TimesOf = (from, to, count) =>
  Array.from({ length: count }, (_, place) => from + ((to - from) * place) / Math.max(1, count - 1));

/** A future slot is shown as likely to be skipped when at least this share of the runs takes too long. */
const likely = 0.25;
/** The most marks that one stretch becomes. */
const mostMarks = 2000;

export function slotsOf(answer: TimelineAnswer, timesOf: TimesOf = evenly): readonly Slot[] {
  const runs = new Map(answer.runs.map((run) => [run.id, run]));
  const slots = answer.slots.flatMap((slot) => expanded(slot, runs, timesOf));
  const ruledOut = answer.ruledOut.flatMap(({ at: time, verdict }): Slot[] =>
    isLook(verdict) ? [{ at: at(time), look: verdict }] : [],
  );
  const projected = answer.projected.map(
    ({ at: time, tooLong, passedOver }): Slot => ({
      at: at(time),
      look: passedOver === true ? 'passedOver' : isLikelySkip(tooLong) ? 'likelySkip' : 'notYet',
      ...(tooLong === undefined ? {} : { tooLong }),
    }),
  );
  return [...slots, ...ruledOut, ...projected].sort((a, b) => a.at - b.at);
}

function isLikelySkip(tooLong: Slot['tooLong']): boolean {
  if (tooLong === undefined) return false;
  return tooLong.goingMs !== undefined || tooLong.runs >= likely * tooLong.of;
}

function expanded(slot: SlotAnswer, runs: ReadonlyMap<string, RunAnswer>, timesOf: TimesOf): readonly Slot[] {
  const run = slot.runId === undefined ? undefined : runs.get(slot.runId);
  const look = lookOf(slot, run);
  const { blockedBy, ranAs, lateByMs, pausedBy, note, missed } = slot.detail ?? {};
  const by = pausedBy ?? slot.detail?.by;
  const common = {
    look,
    ...(slot.cause === undefined ? {} : { byHand: slot.cause }),
    ...(typeof blockedBy === 'string' ? { blockedBy } : {}),
    ...(ranAs === undefined ? {} : { ranAs: typeof ranAs === 'number' ? ranAs : at(String(ranAs)) }),
    ...(typeof by === 'string' && by !== '' ? { by } : {}),
    ...(typeof note === 'string' && note !== '' ? { note } : {}),
    ...(missed === 'skip' ? { isSkippedMiss: true as const } : {}),
    ...(typeof lateByMs === 'number' ? { lateMs: lateByMs } : {}),
    ...(typeof slot.detail?.actual === 'number' ? { due: slot.detail.actual } : {}),
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

/** The look of a slot: its verdict, refined by the outcome of its run. The answer has every run that is still stored. */
export function lookOf(
  { verdict, runId }: Pick<SlotAnswer, 'verdict' | 'runId'>,
  run: RunAnswer | undefined,
): Look {
  if (verdict === 'started' || verdict === 'startedLate') {
    if (run === undefined) return runId === undefined ? verdict : 'outcomeForgotten';
    const look = lookOfRun({ ...run, outcome: run.outcome ?? null });
    if (look === 'started') return verdict;
    return look;
  }
  return isLook(verdict) ? verdict : 'notInSpec';
}

function barOf(run: RunAnswer, look: Look): RunBar | undefined {
  // A run that no worker has begun has no bar.
  if (run.startedAt === undefined) return undefined;
  return {
    id: run.id,
    start: at(run.startedAt),
    end: run.finishedAt === undefined ? null : at(run.finishedAt),
    look,
    attempts: (run.attempts ?? []).map(({ startedAt, finishedAt, error }) => ({
      from: at(startedAt),
      to: finishedAt === undefined ? null : at(finishedAt),
      isFailed: error !== undefined,
    })),
  };
}

export function binsOf(answer: BinsAnswer): readonly Bin[] {
  return answer.bins.map(({ from, to, verdicts, outcomes, medianMs, longestMs, ...others }) => ({
    from: at(from),
    to: at(to),
    counts: countsOf(verdicts, outcomes, others),
    medianMs: medianMs ?? null,
    longestMs: longestMs ?? null,
  }));
}

/** Counts besides verdicts and outcomes; an absent count is zero. */
interface OtherCounts {
  readonly unfinished?: Readonly<Partial<Record<string, number>>>;
  /** How many of the ended runs the overlap policy stopped. */
  readonly replaced?: number;
  readonly forgotten?: number;
  readonly projected?: number;
  readonly passedOver?: number;
}

/** The counts by look. Runs that did not complete are subtracted from the started slots, so that a slot is counted once. */
export function countsOf(
  verdicts: Readonly<Record<string, number>>,
  outcomes: Readonly<Partial<Record<string, number>>>,
  { unfinished = {}, replaced = 0, forgotten = 0, projected = 0, passedOver = 0 }: OtherCounts = {},
): Readonly<Partial<Record<Look, number>>> {
  const counts: Partial<Record<Look, number>> = {};
  for (const [verdict, count] of Object.entries(verdicts)) {
    if (isLook(verdict) && count > 0) counts[verdict] = count;
  }
  const add = (look: Look, count: number) => {
    if (count > 0) counts[look] = (counts[look] ?? 0) + count;
  };
  const takeStarted = (look: Look, count: number) => {
    let left = count;
    for (const from of ['started', 'startedLate'] as const) {
      const taken = Math.min(left, counts[from] ?? 0);
      if (taken <= 0) continue;
      counts[from] = (counts[from] ?? 0) - taken;
      left -= taken;
    }
    add(look, count);
  };
  for (const [outcome, ended = 0] of Object.entries(outcomes)) {
    const look = lookOfRun({ state: 'done', outcome });
    // A run that no worker took ends as timed out; its slot is already counted as such.
    const count = look === 'timedOut' ? ended - (verdicts.noWorker ?? 0) : ended;
    if (look !== 'started') takeStarted(look, count);
  }
  if (replaced > 0) {
    counts.runStopped = Math.max(0, (counts.runStopped ?? 0) - replaced);
    add('runReplaced', replaced);
  }
  for (const [state, count = 0] of Object.entries(unfinished)) {
    takeStarted(state === 'untaken' ? 'untaken' : lookOfRun({ state, outcome: null }), count);
  }
  takeStarted('outcomeForgotten', forgotten);
  add('notYet', projected);
  add('passedOver', passedOver);
  return counts;
}

const ruledOutWords: Readonly<Record<string, string>> = {
  excluded: 'Excluded',
  outOfBounds: 'Outside its dates',
};

export function stretchesOf(answer: StretchesAnswer, from: number): readonly Stretch[] {
  const created = at(answer.createdAt);
  const forgotten = answer.forgottenUntil === null ? created : at(answer.forgottenUntil) + minuteMs;
  return [
    ...(from < created ? [plain(from, created, 'Before it was created')] : []),
    ...(from < forgotten && created < forgotten
      ? [plain(Math.max(from, created), forgotten, 'Older than the ledger')]
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
        // A pause without an end shades the future as well.
        to: endOf(pause.to ?? pause.until),
        label: `Paused by ${pause.by === 'policy' ? 'its own rule' : pause.by}`,
        // The engine's own note repeats the label.
        note: pause.by === 'policy' ? '' : pause.note,
      }),
    ),
    ...answer.ruledOut.flatMap(({ from: first, to: last, verdict, count }): Stretch[] => {
      const label = ruledOutWords[verdict];
      if (label === undefined || count < 2) return [];
      return [{ kind: 'excluded', from: at(first), to: at(last) + minuteMs, label }];
    }),
  ];
}

function endOf(time: string | null): number {
  return time === null ? Number.POSITIVE_INFINITY : at(time);
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

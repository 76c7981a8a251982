/**
 * The look of a slot: the server's verdict, refined by the outcome of its run. Six families give the colour; every look has its
 * own mark and word.
 */
export const families = ['ran', 'busy', 'fail', 'policy', 'person', 'spec'] as const;
export type Family = (typeof families)[number];

export const looks = {
  started: { family: 'ran', word: 'Started', short: 'Started' },
  startedLate: { family: 'ran', word: 'Started late', short: 'Late' },
  outcomeForgotten: { family: 'ran', word: 'Started, outcome no longer kept', short: 'Outcome not kept' },
  running: { family: 'busy', word: 'Running', short: 'Running' },
  buffered: { family: 'busy', word: 'Waiting its turn', short: 'Waiting' },
  due: { family: 'busy', word: 'Due now', short: 'Due' },
  failed: { family: 'fail', word: 'Run failed', short: 'Failed' },
  timedOut: { family: 'fail', word: 'Run timed out', short: 'Timed out' },
  runStopped: { family: 'person', word: 'Run stopped', short: 'Stopped' },
  runReplaced: { family: 'policy', word: 'Stopped for a later run', short: 'Gave way' },
  startFailed: { family: 'fail', word: 'Could not be started', short: 'Not started' },
  missedWindow: { family: 'fail', word: 'Missed its window', short: 'Missed' },
  overdue: { family: 'fail', word: 'Overdue', short: 'Overdue' },
  noWorker: { family: 'fail', word: 'No worker took it', short: 'Not taken' },
  untaken: { family: 'fail', word: 'Waits, no worker', short: 'No worker' },
  quarantined: { family: 'fail', word: 'Quarantined', short: 'Quarantined' },
  skippedOverlap: { family: 'policy', word: 'Skipped: overlap', short: 'Skipped' },
  coalesced: { family: 'policy', word: 'Merged into a later one', short: 'Merged' },
  limitReached: { family: 'policy', word: 'No actions left', short: 'No actions' },
  bufferFull: { family: 'policy', word: 'Queue was full', short: 'Queue full' },
  alreadyStarted: { family: 'policy', word: 'Had run already', short: 'Had run' },
  workflowBusy: { family: 'policy', word: 'Workflow was busy', short: 'Busy' },
  paused: { family: 'person', word: 'Paused', short: 'Paused' },
  superseded: { family: 'person', word: 'Replaced by an edit', short: 'Replaced' },
  cancelled: { family: 'person', word: 'Cancelled', short: 'Cancelled' },
  blackout: { family: 'person', word: 'Blackout', short: 'Blackout' },
  excluded: { family: 'spec', word: 'Excluded day', short: 'Excluded' },
  outOfBounds: { family: 'spec', word: 'Outside its dates', short: 'Outside' },
  dstGap: { family: 'spec', word: 'Clock skipped this time', short: 'Clock' },
  dstFold: { family: 'spec', word: 'Second copy of this hour', short: 'Clock' },
  passedOver: { family: 'person', word: 'Will be passed over: paused', short: 'Paused then' },
  notYet: { family: 'spec', word: 'Projected', short: 'Projected' },
  likelySkip: { family: 'policy', word: 'Likely to be skipped', short: 'Likely skipped' },
  notInSpec: { family: 'spec', word: 'Not one of its times', short: 'No slot' },
  beforeCreation: { family: 'spec', word: 'Before it was created', short: 'Before' },
  afterEnd: { family: 'spec', word: 'Ended', short: 'Ended' },
  forgotten: { family: 'spec', word: 'Older than the ledger', short: 'Forgotten' },
} as const satisfies Record<string, { family: Family; word: string; short: string }>;

export type Look = keyof typeof looks;

export function isLook(text: string): text is Look {
  return Object.hasOwn(looks, text);
}

export function familyOf(look: Look): Family {
  return looks[look].family;
}

export function wordOf(look: Look): string {
  return looks[look].word;
}

const withBody: ReadonlySet<Look> = new Set([
  'started',
  'startedLate',
  'outcomeForgotten',
  'running',
  'failed',
  'timedOut',
  'runStopped',
  'runReplaced',
]);

/** Whether the slot started a run. */
export function ran(look: Look): boolean {
  return withBody.has(look);
}

/** The slots that the keys `[` and `]` stop at. */
export function wantsLook(look: Look): boolean {
  return !(
    look === 'started' ||
    look === 'startedLate' ||
    look === 'outcomeForgotten' ||
    look === 'running' ||
    look === 'passedOver' ||
    look === 'notYet' ||
    look === 'likelySkip'
  );
}

/** The known facts of a run. Lists with less data leave out why it ended. */
export interface RunState {
  readonly state: string;
  readonly outcome: string | null;
  readonly failure?: RunFailure | null;
  /** Whether the run waits and no worker takes it. */
  readonly untaken?: boolean;
  /** Its overlap policy stopped it; lists that leave out the failure say it so. */
  readonly replaced?: boolean;
}

interface RunFailure {
  readonly type?: string;
  readonly askedBy?: string;
  readonly askedAt?: unknown;
}

/** The outcome of a run as a look. */
export function lookOfRun(run: RunState): Look {
  if (run.state === 'waiting') return run.untaken === true ? 'untaken' : 'buffered';
  if (run.outcome === null) return 'running';
  if (run.outcome === 'completed') return 'started';
  if (wasNotTaken(run)) return 'noWorker';
  if (run.outcome === 'timedOut') return 'timedOut';
  if (run.outcome === 'cancelled' || run.outcome === 'terminated')
    return run.replaced === true || isStoppedByRule(run) ? 'runReplaced' : 'runStopped';
  return 'failed';
}

/** A run that no worker has taken for this long probably has no worker that knows it. */
export const untakenMs = 30_000;

/** A run with the times that show whether a worker has begun it. */
export interface LiveRun extends RunState {
  readonly startedAt: string | null;
  readonly availableAt: string;
}

/** The look of a run now: one that waits too long has no worker. */
export function lookOfRunAt(run: LiveRun, now: number): Look {
  const isUntaken =
    run.state === 'waiting' && run.startedAt === null && now - Date.parse(run.availableAt) > untakenMs;
  return isUntaken ? 'untaken' : lookOfRun(run);
}

/** Whether no worker took the run. The server ends such a run as timed out, with this reason. */
function wasNotTaken({ failure }: RunState): boolean {
  return failure?.type === 'NoWorker';
}

/** Whether a rule stopped the run. The request of a person or a program has a name, that of a rule only its time. */
export function isStoppedByRule({ outcome, failure }: RunState): boolean {
  const isStopped = outcome === 'cancelled' || outcome === 'terminated';
  return isStopped && failure?.askedAt !== undefined && failure.askedBy === undefined;
}

const runWords: Readonly<Record<string, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  timedOut: 'Timed out',
  canceled: 'Cancelled',
  cancelled: 'Cancelled',
  terminated: 'Terminated',
};

export function wordOfRun(run: RunState): string {
  if (run.outcome !== null) {
    if (wasNotTaken(run)) return wordOf('noWorker');
    return `${shortWordOfRun(run)}${isStoppedByRule(run) ? ' by its overlap rule' : ''}`;
  }
  if (run.state === 'waiting') return 'Waiting';
  return 'Running';
}

/** The word for a run without the reason, for places that show the reason beside it. */
export function shortWordOfRun(run: RunState): string {
  if (run.outcome === null || wasNotTaken(run)) return wordOfRun(run);
  return runWords[run.outcome] ?? run.outcome;
}

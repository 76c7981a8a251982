/**
 * What cannot be replayed from arguments (time, timers, randomness, the environment), and the only files that may touch
 * it. Everything else is handed a clock, a source of randomness or a setting.
 */
export const ambient = {
  'wall clock': /\bDate\.now\b|\b(?:new )?Date\(\)|\} = Date\b|\bTemporal\.Now\b/,
  // A renamed stopwatch is seen where it is imported or taken apart.
  stopwatch: /\bperformance\.now\b|\} = performance\b|['"](?:node:)?perf_hooks['"]|\bhrtime\b/,
  timer: /\bset(?:Timeout|Interval)\b|\bAbortSignal\.timeout\b|\bscheduler\.wait\b|\bAtomics\.wait/,
  'next turn': /\bsetImmediate\b/,
  // A module of timers that is renamed is recognised by its import.
  'timer module': /['"](?:node:)?timers(?:\/promises)?['"]/,
  randomness: /\bMath\.random\b|\b(?:getRandomValues|random(?:UUID|Bytes|Int|Fill))\b/,
  environment: /\bprocess\.env\b|\benv\b[^;]* from '(?:node:)?process'/,
  // A clock that is given another name could be made under that name.
  'new clock': /\bnew (?:\w+\.)*(?:System|Steady)Clock\b|\b(?:System|Steady)Clock as \w/,
} as const;

export type Ambient = keyof typeof ambient;

export interface Home {
  readonly may: readonly Ambient[];
  readonly because: string;
}

/** A row that its file does not need is an error, so that the list never outlives its reasons. */
export const homes: Readonly<Record<string, Home>> = {
  'carillon/base/clock.ts': {
    may: ['wall clock', 'stopwatch', 'timer'],
    because: 'the clocks themselves',
  },
  'carillon/base/next-turn.ts': {
    may: ['next turn', 'timer module'],
    because: 'the one way to yield to the event loop',
  },

  'carillon/base/unique-id.ts': { may: ['randomness'], because: 'the default source of ids' },
  'carillon/store/sqlite/owner-note.ts': {
    may: ['randomness'],
    because: 'the token of an owner: no two processes may have the same',
  },
  'server/server/keys.ts': { may: ['randomness'], because: 'API keys' },
  'server/door/conductor/flow/test-workflow.ts': {
    may: ['randomness'],
    because: 'a task domain that no worker polls',
  },

  'carillon/store/sqlite/timing.ts': {
    may: ['timer', 'timer module'],
    because: 'a lock is held by real time, whatever the clock of the store says',
  },

  'server/flow/script-thread.ts': {
    may: ['stopwatch'],
    because: 'a thread of its own; a script is interrupted by real time, whatever the clock says',
  },

  // Composition roots.
  'carillon/main.ts': {
    may: ['new clock', 'environment'],
    because: 'composition root of the library; secrets by name, and what commands may see',
  },
  'server/server/assembly.ts': { may: ['new clock'], because: 'composition root of the server' },
  'server/server/run-config.ts': {
    may: ['new clock'],
    because: 'composition root of a server from a configuration',
  },
  'carillon/cli/process.ts': {
    may: ['new clock', 'environment'],
    because: 'the process around the command line',
  },

  // Entry points that users call without a composition root of ours above them: the default for a clock not given.
  'carillon/store/postgres/postgres-store.ts': {
    may: ['new clock', 'randomness'],
    because:
      'published class; `timer` is handed in by open-store.ts and by tests; its name among the listeners',
  },
  'carillon/store/redis/redis-store.ts': {
    may: ['new clock', 'randomness'],
    because:
      'published class; `timer` is handed in by open-store.ts and by tests; its name among the listeners',
  },
  'carillon/lock/system-clock.ts': {
    may: ['new clock'],
    because: 'published functions; `clock` and `newId` may be handed in',
  },

  'carillon/client/worker.ts': {
    may: ['new clock'],
    because: 'published function; `clock` may be handed in',
  },

  // The client also runs in pages, which load only what they need.
  'carillon/client/pause.ts': {
    may: ['timer'],
    because: 'waits between two requests, without the clocks that pages do not need',
  },
  'carillon/client/request-key.ts': {
    may: ['wall clock', 'randomness'],
    because: 'request keys sort by time, and no two are equal',
  },
};

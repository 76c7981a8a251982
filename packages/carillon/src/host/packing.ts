/**
 * How the hot components of a workflow are written: lists instead of named fields, because every run writes them. The forms are
 * persisted; golden files keep them readable.
 */
import type { Instant } from '../base/time.ts';
import type { Packing } from '../engine/component.ts';
import type { ConsumerState, HostState, LastRun, ProducerState, TopicState, Work } from './host.ts';

type PackedTopic = readonly [
  pending: number,
  reserved: number,
  oldest: number,
  oldestAt: Instant,
  last: number,
];

type PackedWork = readonly [
  kind: 0 | 1,
  handler: string,
  chain: string,
  run: string | null,
  previous: string | null,
  task: Work['task'],
  phase: Work['phase'],
  failures: number,
  reconciles: number,
  holder: string | null,
  change: Work['change'],
  nominal: Instant | null,
  manual: 0 | 1,
  seen: number,
  since: Instant,
  retryAt: Instant | null,
  empty: 0 | 1,
  wakeAt: Instant | null,
];

/** Trailing fields that are null are left out. */
type PackedHost = readonly [
  sequence: number,
  starts: number,
  causes: number,
  topics: Readonly<Record<string, PackedTopic>>,
  work?: PackedWork | null,
  haltedAt?: Instant | null,
  paused?: HostState['paused'],
  block?: HostState['block'],
  closed?: HostState['closed'],
];

export const hostPacking: Packing<HostState> = {
  pack: ({ sequence, starts, causes, topics, work, haltedAt, paused, block, closed }): PackedHost => {
    const packed: Record<string, PackedTopic> = {};
    for (const name in topics) {
      const { pending, reserved, oldest, oldestAt, last } = topics[name] as TopicState;
      packed[name] = [pending, reserved, oldest, oldestAt, last];
    }
    const head = [sequence, starts, causes, packed] as const;
    const running = work === null ? null : packWork(work);
    if (haltedAt !== null || closed !== null) return [...head, running, haltedAt, paused, block, closed];
    return running === null ? head : [...head, running];
  },
  unpack: (stored) => {
    const [sequence, starts, causes, packed, work, haltedAt, paused, block, closed] = stored as PackedHost;
    const topics: Record<string, TopicState> = {};
    for (const name in packed) {
      const [pending, reserved, oldest, oldestAt, last] = packed[name] as PackedTopic;
      topics[name] = { pending, reserved, oldest, oldestAt, last };
    }
    return {
      closed: closed ?? null,
      sequence,
      starts,
      causes,
      topics,
      work: work == null ? null : unpackWork(work),
      paused: paused ?? null,
      block: block ?? null,
      haltedAt: haltedAt ?? null,
    };
  },
};

function packWork(work: Work): PackedWork {
  return [
    work.kind === 'producer' ? 0 : 1,
    work.handler,
    work.chain,
    work.run,
    work.previous,
    work.task,
    work.phase,
    work.failures,
    work.reconciles,
    work.holder,
    work.change,
    work.nominal,
    work.manual ? 1 : 0,
    work.seen,
    work.since,
    work.retryAt,
    work.empty ? 1 : 0,
    work.wakeAt,
  ];
}

function unpackWork(packed: PackedWork): Work {
  return {
    kind: packed[0] === 0 ? 'producer' : 'consumer',
    handler: packed[1],
    chain: packed[2],
    run: packed[3],
    previous: packed[4],
    task: packed[5],
    phase: packed[6],
    failures: packed[7],
    reconciles: packed[8],
    holder: packed[9],
    change: packed[10],
    nominal: packed[11],
    manual: packed[12] === 1,
    seen: packed[13],
    since: packed[14],
    retryAt: packed[15],
    empty: packed[16] === 1,
    wakeAt: packed[17],
  };
}

type PackedLast = readonly [
  runId: string,
  startedAt: Instant,
  endedAt: Instant,
  result: LastRun['result'],
  empty: 0 | 1,
  error: string | null,
];

function packLast(last: LastRun | null): PackedLast | null {
  if (last === null) return null;
  return [last.runId, last.startedAt, last.endedAt, last.result, last.empty ? 1 : 0, last.error];
}

function unpackLast(packed: PackedLast | null): LastRun | null {
  if (packed === null) return null;
  const [runId, startedAt, endedAt, result, empty, error] = packed;
  return { runId, startedAt, endedAt, result, empty: empty === 1, error };
}

type PackedProducer = readonly [
  text: string,
  anchor: Instant,
  cursor: Instant,
  next: Instant | null,
  last: PackedLast | null,
  queued: Instant | null,
  asked: Instant | null,
  skipped: number,
  skippedInARow: number,
  stretch: ProducerState['stretch'],
  eras: ProducerState['eras'],
  pass: ProducerState['pass'],
];

export const producerPacking: Packing<ProducerState> = {
  pack: (state): PackedProducer => [
    state.text,
    state.anchor,
    state.cursor,
    state.next,
    packLast(state.last),
    state.queued,
    state.asked,
    state.skipped,
    state.skippedInARow,
    state.stretch,
    state.eras,
    state.pass,
  ],
  unpack: (stored) => {
    const packed = stored as PackedProducer;
    return {
      text: packed[0],
      anchor: packed[1],
      cursor: packed[2],
      next: packed[3],
      last: unpackLast(packed[4]),
      queued: packed[5],
      asked: packed[6],
      skipped: packed[7],
      skippedInARow: packed[8],
      stretch: packed[9],
      eras: packed[10],
      pass: packed[11],
    };
  },
};

type PackedConsumer = readonly [
  last: PackedLast | null,
  sleep: readonly [since: Instant, until: Instant] | null,
  wokenBy: ConsumerState['wokenBy'],
  asked: Instant | null,
];

export const consumerPacking: Packing<ConsumerState> = {
  pack: ({ sleep, wokenBy, asked, last }): PackedConsumer => [
    packLast(last),
    sleep === null ? null : [sleep.since, sleep.until],
    wokenBy,
    asked,
  ],
  unpack: (stored) => {
    const [last, sleep, wokenBy, asked] = stored as PackedConsumer;
    return {
      sleep: sleep === null ? null : { since: sleep[0], until: sleep[1] },
      wokenBy,
      asked,
      last: unpackLast(last),
    };
  },
};

import { expect, test } from 'vitest';
import {
  consumerText,
  depthOf,
  dueText,
  headOf,
  hostChips,
  lineOf,
  lookOfDue,
  lookOfHost,
  nextInLine,
  phaseWord,
  scheduleText,
  stripOfDue,
  topicText,
  worstFirst,
} from './host.ts';
import { wiresOf } from './wires.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const consumer = {
  name: 'c',
  subscribe: ['t'],
  state: 'sleeping',
  sleepingUntil: '2026-11-01T12:04:20Z',
  wakesOn: ['orders'],
  pending: 2,
} as never;

test('a sleeping consumer says every condition that wakes it', () => {
  expect(consumerText(consumer, null, now)).toBe(
    'Wakes on a new event in orders, or in 4 min 20 s, or by hand. 2 events wait.',
  );
});

test('a topic has twenty steps', () => {
  expect(depthOf({ pending: 3, reserved: 2 }).filter((step) => step !== 'free')).toEqual([
    'taken',
    'taken',
    'waiting',
    'waiting',
    'waiting',
  ]);
  expect(depthOf({ pending: 300, reserved: 0 })).toHaveLength(20);
});

test('states have words and marks', () => {
  const work = { handler: 'match', since: '2026-11-01T11:59:19Z' };
  expect(headOf({ status: 'running', waitsForNodeSince: null }, { work } as never, now)).toBe(
    'match is running, 41 s',
  );
  expect(lookOfHost({ status: 'blocked', waitsForNodeSince: null }, now)).toBe('failed');
});

test('between two attempts a consumer says when the next begins', () => {
  const work = { runId: null, retryAt: '2026-11-01T12:00:10Z', since: '2026-11-01T11:59:00Z' } as never;
  expect(consumerText({ ...(consumer as object), state: 'running' } as never, work, now)).toBe(
    'The next attempt begins in 10 s.',
  );
});

test('a run under way says its phase', () => {
  const work = { runId: 'r', phase: 'mutating', task: 'run', since: '2026-11-01T11:59:30Z' } as never;
  expect(consumerText({ ...(consumer as object), state: 'running' } as never, work, now)).toMatch(
    /^Phase 2 of 3, for 30 s: changes the world/,
  );
});

const flow = {
  topics: [
    { name: 'old', pending: 1, reserved: 0, oldestAt: '2026-11-01T10:00:00Z' },
    { name: 'new', pending: 1, reserved: 2, oldestAt: '2026-11-01T11:00:00Z' },
  ],
  consumers: [
    { name: 'late', subscribe: ['new'], state: 'ready' },
    { name: 'early', subscribe: ['old'], state: 'ready' },
    { name: 'asleep', subscribe: ['old'], state: 'sleeping' },
  ],
  producers: [{ name: 'look', state: 'waiting', skippedInARow: 2, publishes: ['old', 'gone'] }],
} as never as Parameters<typeof wiresOf>[0];

test('consumers come before producers, the oldest event first', () => {
  expect(nextInLine(flow)).toBe(
    'Next in line: early, then late, then producer look (skipped 2 times while busy)',
  );
  expect(nextInLine({ ...flow, consumers: [], producers: [] })).toBeUndefined();
});

test('a topic says what waits and what a run has taken', () => {
  expect(flow.topics.map((each) => topicText(each, now))).toEqual([
    'oldest 2 h ago',
    '2 taken by a run · oldest 1 h ago',
  ]);
});

test('when a producer is due, in words', () => {
  expect(scheduleText({ interval: '1h30m' } as never)).toBe('Every 1 h 30 min');
  expect(scheduleText({ cron: '0 9 * * *', timezone: 'America/New_York' } as never)).toBe(
    '0 9 * * *, New York',
  );
});

test('lines join producers with topics and topics with consumers, where the topic is there', () => {
  expect(wiresOf(flow).map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'producer look > topic old',
    'topic new > consumer late',
    'topic old > consumer early',
    'topic old > consumer asleep',
  ]);
});

test('a run that has chosen its events uses only the topics of these', () => {
  const [old, fresh] = flow.topics;
  const topics = [{ ...old, reserved: 0 }, fresh];
  const consumers = [{ name: 'both', subscribe: ['old', 'new'], state: 'running' }];
  const busy = (some: unknown) =>
    wiresOf({ ...flow, block: null, topics: some, consumers } as never)
      .filter(({ family }) => family === 'busy')
      .map(({ from }) => from);
  expect(busy(topics)).toEqual(['topic new']);
  expect(
    busy([
      { ...old, reserved: 0 },
      { ...fresh, reserved: 0 },
    ]),
  ).toEqual(['topic old', 'topic new']);
  // A run that waits for a node uses nothing yet.
  const waiting = { ...flow, block: null, topics, consumers, work: { waitsForNode: true } };
  expect(wiresOf(waiting as never).some(({ family }) => family === 'busy')).toBe(false);
});

test('workflows come worst first: a question, old events, runs, waiting work, the rest by name', () => {
  const hosts = [
    ['b-idle', { status: 'idle' }],
    ['a-idle', { status: 'idle' }],
    ['paused', { status: 'paused' }],
    ['waits', { status: 'idle', pending: 2, oldestAt: '2026-11-01T11:59:00Z' }],
    ['runs', { status: 'running' }],
    ['newer', { status: 'idle', pending: 1, stale: true, oldestAt: '2026-11-01T11:00:00Z' }],
    ['older', { status: 'running', pending: 1, stale: true, oldestAt: '2026-11-01T10:00:00Z' }],
    ['asks', { status: 'blocked', attention: 'find out' }],
  ].map(([id, more]) => ({
    id,
    pending: 0,
    stale: false,
    attention: null,
    oldestAt: null,
    ...(more as object),
  }));
  expect(worstFirst(hosts as never).map(({ id }) => id)).toEqual([
    'asks',
    'older',
    'newer',
    'runs',
    'waits',
    'paused',
    'a-idle',
    'b-idle',
  ]);
});

test('waiting members say why they are next, or after which one', () => {
  const line = lineOf(flow as never);
  expect(line).toEqual(['early', 'late']);
  const ready = (name: string) => ({ name, state: 'ready', pending: 3, subscribe: [] }) as never;
  const said = (name: string, halt?: 'paused') => consumerText(ready(name), null, now, { line, halt });
  expect(said('early')).toBe('3 events wait; the oldest came before any of the others’.');
  expect(said('late')).toBe('3 events wait; it runs after early, whose oldest event is older.');
  expect(said('late', 'paused')).toBe('3 events wait; it runs when the workflow is resumed.');
});

test('the line to a change without a known outcome is red, the one of a run is blue', () => {
  const host = {
    producers: [],
    topics: [{ name: 'a' }, { name: 'b' }],
    consumers: [
      { name: 'asks', subscribe: ['a'], state: 'running' },
      { name: 'other', subscribe: ['b'], state: 'ready' },
    ],
    work: { kind: 'consumer', handler: 'asks' },
    block: { kind: 'uncertain' },
  };
  expect(wiresOf(host as never).map(({ family }) => family)).toEqual(['fail', undefined]);
  expect(wiresOf({ ...host, block: null } as never).map(({ family }) => family)).toEqual(['busy', undefined]);
});

test('a run says its phase in a word', () => {
  const work = { runId: 'r', task: 'run', phase: 'mutating' } as const;
  expect(phaseWord(work as never)).toBe('Changing');
  expect(phaseWord({ ...work, task: 'reconcile' } as never)).toBe('Asking');
  expect(phaseWord({ ...work, runId: null } as never)).toBe('Tries again');
});

test('a run that no node takes is not shown as running, and its workflow has a chip of its own', () => {
  const host = { status: 'running', waitsForNodeSince: '2026-11-01T11:59:00Z', pending: 0, attention: null };
  const chipsOf = (some: object, at: number) =>
    hostChips.filter(({ isOf }) => isOf(some as never, at)).map(({ text }) => text);
  expect(headOf(host as never, undefined, now)).toBe('Waits for a node that knows it');
  expect(lookOfHost(host as never, now)).toBe('untaken');
  expect(chipsOf(host, now)).toEqual(['Waits for a node']);
  // A run that has just been queued is about to be taken.
  expect(lookOfHost(host as never, now - 58_000)).toBe('running');
  expect(chipsOf(host, now - 58_000)).toEqual(['Running']);
});

test('the word of an idle workflow is that of its chip, also while a consumer sleeps', () => {
  const idle = { status: 'idle', waitsForNodeSince: null, pending: 0, attention: null };
  const [chip] = hostChips.filter(({ isOf }) => isOf(idle as never, now));
  const host = { work: null, block: null, consumers: [consumer] };
  expect(headOf(idle as never, host as never, now)).toBe(chip?.text);
});

test('a due time looks like the run that it started, and bars stand for lengths', () => {
  const due = (run: object | null, more: object = {}) =>
    ({ nominal: '2026-11-01T11:00:00Z', verdict: 'started', count: 1, run, ...more }) as never;
  const ended = { id: 'r', state: 'done', outcome: 'completed', tookMs: 40, untaken: false };
  const slots = [
    due({ ...ended, outcome: 'failed', tookMs: 10 }),
    due(ended),
    due(null, { verdict: 'workflowBusy', count: 6 }),
    due({ ...ended, state: 'waiting', outcome: null, tookMs: null, untaken: true }),
  ];
  expect(slots.map(lookOfDue)).toEqual(['failed', 'started', 'workflowBusy', 'untaken']);
  expect(dueText(slots[2] as never)).toBe('Workflow was busy, 6 times');
  expect(stripOfDue(slots)).toMatchObject({ p95Ms: 40, slots: [{}, { count: 6 }, {}, {}] });
});

test('what waits says what it waits for', () => {
  const ready = { ...(consumer as object), state: 'ready', asked: false, pending: 1 } as never;
  expect(consumerText(ready, null, now, { halt: 'failed' })).toBe(
    '1 event waits; it runs when the workflow is resumed.',
  );
  expect(consumerText(ready, null, now, { halt: 'uncertain' })).toBe(
    '1 event waits; it runs when the question is answered.',
  );
});

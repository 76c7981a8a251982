/** Why a producer did or did not run, why a consumer sleeps, and why an event was not taken. */
import { roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import { nextAfter } from '../../host/due-times.ts';
import { dataOf } from '../../host/event-lines.ts';
import type { HostView } from '../../host/host.ts';
import { topicOf } from '../../host/host.ts';
import type { EventRow, SlotRow } from '../../store/records.ts';

export interface HostExplanation {
  /** `producer`, `consumer` or `event`. */
  readonly about: 'producer' | 'consumer' | 'event';
  readonly name: string;
  /** A stable word for the answer. */
  readonly answer: string;
  /** The answer as a sentence. */
  readonly text: string;
  /** The due time that was asked about. */
  readonly at: Instant | null;
  readonly runId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface AskedProducer {
  readonly name: string;
  readonly at: Instant;
  /** The ledger row that covers the time; undefined: none. */
  readonly slot: SlotRow | undefined;
}

export function explainProducer(
  host: HostView,
  { name, at, slot }: AskedProducer,
): HostExplanation | undefined {
  const producer = host.children('producers').get(name);
  if (producer === undefined) return undefined;
  const base = { about: 'producer' as const, name, at };
  const when = formatInstant(at);
  if (slot !== undefined) {
    const detail = (slot.detail === null ? {} : JSON.parse(slot.detail)) as Readonly<Record<string, unknown>>;
    return {
      ...base,
      answer: slot.verdict,
      text: `${when}: ${verdictWords(slot, detail)}`,
      runId: slot.runId,
      detail,
    };
  }
  const { state } = producer;
  const isDue = nextAfter(state, (at - 1) as Instant) === at;
  if (at <= state.cursor || (!isDue && at <= host.now)) {
    const text = isDue
      ? `${when}: it was due before the producer was deployed, or its verdict is no longer kept`
      : `${when}: not a due time of its schedule`;
    return { ...base, answer: isDue ? 'unknown' : 'notDue', text, runId: null, detail: {} };
  }
  if (!isDue)
    return {
      ...base,
      answer: 'notDue',
      text: `${when}: not a due time of its schedule`,
      runId: null,
      detail: {},
    };
  const { paused, block } = host.state;
  if (paused !== null || block !== null) {
    const why = block === null ? `paused by ${paused?.by}` : `stopped until a person acts: ${block.message}`;
    return { ...base, answer: 'paused', text: `${when}: the workflow is ${why}`, runId: null, detail: {} };
  }
  return {
    ...base,
    answer: 'due',
    text: `${when}: it will run then, if the workflow is idle`,
    runId: null,
    detail: {},
  };
}

function verdictWords({ verdict, runId }: SlotRow, detail: Readonly<Record<string, unknown>>): string {
  switch (verdict) {
    case 'started':
      return `it ran (run ${runId})`;
    case 'startedLate':
      return `it ran ${roughDuration(Number(detail.lateByMs))} late (run ${runId})`;
    case 'buffered':
      return `it waits for the run ${runId} to end`;
    case 'workflowBusy':
      return `skipped, because the workflow was busy with '${String(detail.handler)}'${runId === null ? '' : ` (run ${runId})`}; onBusy: 'queueOne' would let it wait`;
    case 'paused':
      return `skipped, because the workflow was paused by ${String(detail.pausedBy)}${detail.note ? `: ${String(detail.note)}` : ''}`;
    case 'coalesced':
      return 'skipped, because another due time ran for it';
    case 'superseded':
      return 'dropped, because a deployment changed the schedule';
    default:
      return verdict;
  }
}

/** What the row of the workflow alone does not show. */
export interface ConsumerSurroundings {
  /** The run under way waits: no node that knows the workflow has taken it. */
  readonly waitsForNode: boolean;
}

const forNode = 'no node that knows the workflow has taken it yet';

export function explainConsumer(
  host: HostView,
  name: string,
  { waitsForNode }: ConsumerSurroundings,
): HostExplanation | undefined {
  const consumer = host.children('consumers').get(name);
  const { consumers } = host.child('deployment').state.graph;
  const { subscribe = [] } = consumers[name] ?? {};
  if (consumer === undefined) return undefined;
  const { state } = consumer;
  const { work, paused, block } = host.state;
  const pending = subscribe.reduce((sum, topic) => sum + topicOf(host.state, topic).pending, 0);
  const say = (
    answer: string,
    text: string,
    detail: Readonly<Record<string, unknown>> = {},
  ): HostExplanation => ({
    about: 'consumer',
    name,
    answer,
    text,
    at: null,
    runId: work?.run ?? null,
    detail: { pending, ...detail },
  });
  const topics = subscribe.map((topic) => `'${topic}'`).join(', ');
  if (work?.kind === 'consumer' && work.handler === name) {
    if (work.run !== null && waitsForNode)
      return say('waitsForNode', `its run ${work.run} waits: ${forNode}`);
    if (work.run !== null) return say('running', `it is running (run ${work.run}, ${work.phase})`);
    if (block !== null) return say('blocked', `it waits for a person: ${block.message}`);
    return say(
      'retrying',
      `its last run ${work.previous} did not commit; the next begins at ${formatInstant(work.retryAt ?? host.now)}`,
    );
  }
  if (block !== null) return say('blocked', `the workflow is stopped until a person acts: ${block.message}`);
  if (paused !== null)
    return say(
      'paused',
      `the workflow was paused by ${paused.by}${paused.note === '' ? '' : `: ${paused.note}`}`,
    );
  if (state.sleep !== null && state.sleep.until > host.now) {
    const until = formatInstant(state.sleep.until);
    return say(
      'sleeping',
      `it found nothing to do at ${formatInstant(state.sleep.since)} (run ${state.last?.runId}) and sleeps until ${until}; an event in ${topics}, or a person, wakes it sooner`,
      {
        until: state.sleep.until,
      },
    );
  }
  if (pending === 0) return say('idle', `no event is pending in ${topics}`);
  if (work !== null) {
    const node = waitsForNode ? `; ${forNode}` : '';
    return say('waiting', `it waits for '${work.handler}' (run ${work.run ?? work.previous}) to end${node}`);
  }
  return say('ready', 'it starts with the next step');
}

export function explainEvent(host: HostView, event: EventRow, around: ConsumerSurroundings): HostExplanation {
  const { id, topic, state, holder, sequence } = event;
  const { graph } = host.child('deployment').state;
  const consumer = Object.keys(graph.consumers).find((name) =>
    graph.consumers[name]?.subscribe.includes(topic),
  );
  const say = (answer: string, text: string): HostExplanation => ({
    about: 'event',
    name: id,
    answer,
    text,
    at: null,
    runId: holder,
    detail: { topic, sequence, attempt: event.attempt, consumer: consumer ?? null },
  });
  switch (state) {
    case 'consumed':
      return say('consumed', `the run ${holder} worked on it at ${formatInstant(event.changedAt)}`);
    case 'skipped':
      return say('skipped', skippedWords(event));
    case 'reserved':
      return say('reserved', `the run ${holder} has reserved it and has not committed yet`);
    case 'pending': {
      if (consumer === undefined)
        return say('orphaned', `no consumer subscribes to '${topic}' any more; it is kept`);
      const why = explainConsumer(host, consumer, around);
      const ahead =
        sequence > topicOf(host.state, topic).oldest ? '; older events are pending before it' : '';
      return say('pending', `'${consumer}' has not chosen it: ${why?.text ?? ''}${ahead}`);
    }
  }
}

/** A person skips an event by itself, or together with an uncertain change that it was reserved for. */
function skippedWords(event: EventRow): string {
  const { skippedBy, note } = dataOf(event);
  const by = skippedBy === undefined ? ' with the change of its run' : ` by ${skippedBy}`;
  return `it was skipped${by} at ${formatInstant(event.changedAt)}${note === undefined ? '' : `: ${note}`}`;
}

/** The graph of a workflow: the names and schedules that are stored, and the check that they fit together. */
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { second } from '../base/time.ts';
import { hashText } from '../runs/run-id.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { minIntervalMs, validateSpec } from '../spec/index.ts';
import type { ProducerSchedule, Workflow } from './workflow.ts';

export interface ProducerGraph {
  readonly schedule: ProducerSchedule;
  readonly publishes: readonly string[];
  readonly onBusy: 'skip' | 'queueOne';
}

export interface ConsumerGraph {
  readonly subscribe: readonly string[];
  readonly publishes: readonly string[];
  readonly hasMutate: boolean;
  readonly hasNext: boolean;
}

export interface Graph {
  readonly topics: readonly string[];
  readonly producers: Readonly<Record<string, ProducerGraph>>;
  readonly consumers: Readonly<Record<string, ConsumerGraph>>;
}

const name = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
const nameFix = 'a letter, then up to 99 letters, digits, or . _ -';

/** The most handlers of a workflow: more than a person can survey. */
const mostHandlers = 100;
const mostTopics = 100;

export function graphOf(workflow: Workflow): Graph {
  const producers = [...workflow.producers].map(([id, { schedule, publishes, onBusy = 'skip' }]) => {
    return [id, { schedule, publishes: [...new Set(publishes as readonly string[])], onBusy }] as const;
  });
  const consumers = [...workflow.consumers].map(([id, { subscribe, publishes = [], mutate, next }]) => {
    const graph: ConsumerGraph = {
      subscribe: [...new Set(subscribe as readonly string[])],
      publishes: [...new Set(publishes as readonly string[])],
      hasMutate: mutate !== undefined,
      hasNext: next !== undefined,
    };
    return [id, graph] as const;
  });
  return {
    topics: Object.keys(workflow.topics),
    producers: Object.fromEntries(producers),
    consumers: Object.fromEntries(consumers),
  };
}

export function graphHash(graph: Graph): string {
  return hashText(JSON.stringify(graph));
}

/** Every problem of the workflow at once. */
export function graphProblems(workflow: Workflow): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (path: string, reason: string, message: string, fix?: string) =>
    problems.push({ path, reason, message, ...(fix === undefined ? {} : { fix }) });
  const { producers, consumers, topics } = workflow;
  if (!name.test(workflow.name)) add('name', 'BAD_NAME', `'${workflow.name}' is not a name`, nameFix);
  for (const id of Object.keys(topics)) {
    if (!name.test(id)) add(`topics.${id}`, 'BAD_NAME', `'${id}' is not a name of a topic`, nameFix);
  }
  for (const id of workflow.repeated) {
    add(id, 'NAME_TAKEN', `two producers or consumers are called '${id}'`, 'give each a name of its own');
  }
  if (producers.size + consumers.size === 0)
    add('', 'NO_HANDLER', 'the workflow has no producer and no consumer', 'add one');
  if (producers.size + consumers.size > mostHandlers)
    add('', 'TOO_MANY', `the workflow has more than ${mostHandlers} producers and consumers`, 'split it');
  if (Object.keys(topics).length > mostTopics)
    add('topics', 'TOO_MANY', `the workflow has more than ${mostTopics} topics`, 'split it');
  const isTopic = (path: string, id: unknown) => {
    if (typeof id === 'string' && Object.hasOwn(topics, id)) return true;
    add(path, 'UNKNOWN_TOPIC', `there is no topic '${String(id)}'`, 'declare it in `topics`');
    return false;
  };
  const taken = new Map<string, string>();
  const published = new Map<string, string>();
  for (const [id, producer] of producers) {
    const path = `producers.${id}`;
    if (!name.test(id)) add(path, 'BAD_NAME', `'${id}' is not a name`, nameFix);
    if (typeof producer.handler !== 'function')
      add(
        `${path}.handler`,
        'NO_HANDLER',
        'a producer needs a handler',
        'write handler: async (ctx, state) => …',
      );
    if (!Array.isArray(producer.publishes) || producer.publishes.length === 0)
      add(
        `${path}.publishes`,
        'NO_TOPIC',
        'a producer must publish to at least one topic',
        "write publishes: ['…']",
      );
    else for (const to of producer.publishes) if (isTopic(`${path}.publishes`, to)) published.set(to, path);
    if (producer.onBusy !== undefined && !['skip', 'queueOne'].includes(producer.onBusy))
      add(
        `${path}.onBusy`,
        'BAD_ON_BUSY',
        `invalid value ${JSON.stringify(producer.onBusy)}`,
        'skip or queueOne',
      );
    problems.push(...scheduleProblems(producer.schedule, `${path}.schedule`));
  }
  for (const [id, consumer] of consumers) {
    const path = `consumers.${id}`;
    if (!name.test(id)) add(path, 'BAD_NAME', `'${id}' is not a name`, nameFix);
    for (const phase of ['prepare', 'mutate', 'next'] as const) {
      const given = consumer[phase] as unknown;
      if (phase === 'prepare' && given === undefined)
        add(
          `${path}.prepare`,
          'NO_HANDLER',
          'a consumer needs prepare',
          'write prepare: async (ctx, state) => …',
        );
      else if (given !== undefined && typeof given !== 'function')
        add(`${path}.${phase}`, 'NO_HANDLER', `${phase} must be a function`);
    }
    if (!Array.isArray(consumer.subscribe) || consumer.subscribe.length === 0)
      add(
        `${path}.subscribe`,
        'NO_TOPIC',
        'a consumer must subscribe to at least one topic',
        "write subscribe: ['…']",
      );
    else
      for (const from of new Set(consumer.subscribe as readonly string[])) {
        if (!isTopic(`${path}.subscribe`, from)) continue;
        const other = taken.get(from);
        if (other === undefined) taken.set(from, id);
        else
          add(
            `${path}.subscribe`,
            'TWO_CONSUMERS',
            `'${other}' consumes the topic '${from}' already`,
            'publish to a topic for each',
          );
      }
    const { publishes = [] } = consumer;
    for (const to of publishes as readonly string[])
      if (isTopic(`${path}.publishes`, to)) published.set(to, path);
    if (publishes.length > 0 && consumer.next === undefined)
      add(
        `${path}.next`,
        'NO_NEXT',
        'a consumer that publishes needs next',
        'write next: async (ctx, prepared, change) => …',
      );
  }
  for (const id of Object.keys(topics)) {
    if (taken.has(id)) continue;
    const by = published.get(id);
    add(
      `topics.${id}`,
      'NO_CONSUMER',
      `no consumer subscribes to '${id}'${by === undefined ? '' : `, which ${by} publishes`}`,
      'subscribe to it, or remove it',
    );
  }
  return problems;
}

function scheduleProblems(schedule: ProducerSchedule | undefined, path: string): readonly Problem[] {
  const given = (schedule ?? {}) as {
    readonly interval?: unknown;
    readonly cron?: unknown;
    readonly timezone?: unknown;
  };
  const problem = (at: string, reason: string, message: string, fix: string): readonly Problem[] => [
    { path: at, reason, message, fix },
  ];
  if ((given.interval === undefined) === (given.cron === undefined))
    return problem(
      path,
      'BAD_SCHEDULE',
      'a producer needs an interval or a cron text, not both',
      "{ interval: '5m' }",
    );
  if (given.interval !== undefined) {
    const every = typeof given.interval === 'string' ? parseDuration(given.interval) : undefined;
    if (every !== undefined && every >= minIntervalMs && every % second === 0) return [];
    return problem(
      `${path}.interval`,
      'BAD_INTERVAL',
      `invalid interval ${JSON.stringify(given.interval)}`,
      "whole seconds, such as '30s', '5m', '1h', '1d'",
    );
  }
  const checked = validateSpec(specOf(given as ProducerSchedule, 0 as Instant));
  if (checked.ok) return [];
  return checked.problems.map((each) => ({
    ...each,
    path: each.path.startsWith('zone') ? `${path}.timezone` : `${path}.cron`,
    reason: each.path.startsWith('zone') ? 'BAD_TIMEZONE' : 'BAD_CRON',
  }));
}

/** The spec of a schedule; an interval counts from the anchor. */
export function specOf(schedule: ProducerSchedule, anchor: Instant): ScheduleSpec {
  if ('cron' in schedule && schedule.cron !== undefined) {
    const { cron, timezone } = schedule;
    return { cron: [{ text: cron }], ...(timezone === undefined ? {} : { zone: timezone }) };
  }
  const everyMs = parseDuration((schedule as { readonly interval: string }).interval) as number;
  return { intervals: [{ everyMs, phaseMs: ((anchor % everyMs) + everyMs) % everyMs }] };
}

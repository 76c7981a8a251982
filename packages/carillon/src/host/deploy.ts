/**
 * Brings the stored workflow to the graph and settings of a program. A topic that the graph no longer has is kept until
 * its events are worked on.
 */
import type { Instant } from '../base/time.ts';
import { addTime, second } from '../base/time.ts';
import { judgeDueTimes, supersede } from './due-times.ts';
import type { Graph } from './graph.ts';
import { graphHash } from './graph.ts';
import type { HostNode, HostState, ProducerState } from './host.ts';
import { change, noTopic } from './host.ts';
import { proceed } from './proceed.ts';
import type { HostSettings } from './settings.ts';
import type { ProducerSchedule } from './workflow.ts';

export interface Deploying {
  readonly graph: Graph;
  readonly settings: HostSettings;
}

export const newHost: HostState = {
  closed: null,
  sequence: 0,
  starts: 0,
  causes: 1,
  topics: {},
  work: null,
  paused: null,
  block: null,
  haltedAt: null,
};

/** Fills a new workflow. */
export function create(host: HostNode, { graph, settings }: Deploying): undefined {
  const { now: at } = host;
  host.create('deployment', { graph, hash: graphHash(graph), settings, version: 1, at });
  host.create('data', { data: null, result: null });
  apply(host, graph);
}

/** Returns whether anything changed. */
export function redeploy(host: HostNode, { graph, settings }: Deploying): boolean {
  const node = host.child('deployment');
  const before = node.state;
  const hash = graphHash(graph);
  const isSame = before.hash === hash && JSON.stringify(before.settings) === JSON.stringify(settings);
  if (isSame) return false;
  node.set({ graph, hash, settings, version: before.version + 1, at: host.now });
  apply(host, graph);
  return true;
}

function apply(host: HostNode, graph: Graph): void {
  const { topics, work } = host.state;
  const kept = Object.entries(topics).filter(
    ([name, { pending, reserved }]) => graph.topics.includes(name) || pending + reserved > 0,
  );
  const all = {
    ...Object.fromEntries(graph.topics.map((name) => [name, noTopic])),
    ...Object.fromEntries(kept),
  };
  change(host, { topics: all });
  for (const name of [...host.children('consumers').keys()]) {
    const isUsed = work?.kind === 'consumer' && work.handler === name;
    if (graph.consumers[name] === undefined && !isUsed) host.remove('consumers', name);
  }
  for (const name of Object.keys(graph.consumers)) {
    if (host.children('consumers').has(name)) continue;
    const consumer = host.add('consumers', name, { sleep: null, wokenBy: null, asked: null, last: null });
    consumer.create('memory', { json: null });
  }
  for (const [name, producer] of [...host.children('producers')]) {
    const isUsed = work?.kind === 'producer' && work.handler === name;
    if (graph.producers[name] !== undefined) continue;
    supersede(host, name, producer);
    if (isUsed) producer.set({ ...producer.state, next: null });
    else host.remove('producers', name);
  }
  for (const [name, { schedule }] of Object.entries(graph.producers)) applyProducer(host, name, schedule);
  proceed(host);
}

/** An unchanged schedule keeps its grid and its next time; a changed one begins anew. */
function applyProducer(host: HostNode, name: string, schedule: ProducerSchedule): void {
  const text = JSON.stringify(schedule);
  const known = host.children('producers').get(name);
  if (known === undefined) {
    const { runOnDeploy } = host.child('deployment').state.settings;
    const producer = host.add('producers', name, { ...grid(host.now, text, runOnDeploy), ...idle });
    producer.create('memory', { json: null });
    judgeDueTimes(host, name, producer);
  } else if (known.state.text !== text) {
    supersede(host, name, known);
    known.set({ ...known.state, ...grid(host.now, text, false) });
    judgeDueTimes(host, name, known);
  } else if (known.state.next === null) judgeDueTimes(host, name, known);
}

const idle = { queued: null, asked: null, skipped: 0, skippedInARow: 0, last: null };

/** The grid begins at a whole second, because due times are whole seconds. */
function grid(
  now: Instant,
  text: string,
  isDueNow: boolean,
): Pick<ProducerState, 'text' | 'anchor' | 'cursor' | 'next' | 'eras' | 'stretch' | 'pass'> {
  const anchor = (Math.floor(now / second) * second) as Instant;
  return {
    text,
    anchor,
    cursor: isDueNow ? addTime(anchor, -1) : now,
    next: null,
    eras: [],
    stretch: null,
    pass: null,
  };
}

/**
 * The hot components of a workflow as plain values: of a node, or of the text of a row. A row that a rehearsal would have written
 * has no stored parts, so it is read here and not opened as a tree.
 */
import { readDocument } from '../engine/document.ts';
import type { ConsumerState, HostState, HostView, ProducerState } from './host.ts';
import { Consumer, Host, Producer } from './host.ts';

export interface HotState {
  readonly host: HostState;
  readonly producers: ReadonlyMap<string, ProducerState>;
  readonly consumers: ReadonlyMap<string, ConsumerState>;
}

export function hotStateOf(host: HostView): HotState {
  const producers = new Map<string, ProducerState>();
  const consumers = new Map<string, ConsumerState>();
  for (const [name, { state }] of host.children('producers')) producers.set(name, state);
  for (const [name, { state }] of host.children('consumers')) consumers.set(name, state);
  return { host: host.state, producers, consumers };
}

/** The text must be in today's form, as every row is that today's code writes. */
export function readHotState(text: string): HotState {
  const { c: nodes } = readDocument(text);
  const producers = new Map<string, ProducerState>();
  const consumers = new Map<string, ConsumerState>();
  for (const path in nodes) {
    const [, group, id] = /^(\w+):([^/]+)$/.exec(path) ?? [];
    const packed = nodes[path]?.[0];
    if (id === undefined) continue;
    if (group === 'producers') producers.set(decodeURIComponent(id), Producer.packing.unpack(packed));
    if (group === 'consumers') consumers.set(decodeURIComponent(id), Consumer.packing.unpack(packed));
  }
  return { host: Host.packing.unpack(nodes['']?.[0]), producers, consumers };
}

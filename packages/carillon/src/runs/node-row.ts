/**
 * The row of a node on a store that several processes share: an execution that never wakes, whose incarnation is the
 * name under which the node holds leases. One write of it (a heartbeat) extends every lease of the node, reported or not.
 *
 * - *living*: written by the node itself, at least every `heartbeatMs`; good until `leaseUntil` by the store's clock.
 * - *dead*: written by the node that took its runs over. It stays for a while, because a late commit of the dead node
 *     may still lease runs in its name; such runs are searched for as long as the row exists.
 */
import type { Instant } from '../base/time.ts';
import { addTime, hour } from '../base/time.ts';
import type { ExecutionKey, ExecutionRow, ExecutionWrite } from '../store/records.ts';

/** No namespace of a user begins with this text. */
export const nodeNamespace = '@nodes';
export const nodeArchetype = 'node';

/** How long a dead node's row stays. */
export const deadKeptMs = hour;

/** Identifies the process that wrote it, to find out whether it is gone; see `process-table.ts`. */
export interface ProcessMark {
  readonly host: string;
  readonly boot: string;
  /** The namespace of the process id: containers on one host have their own. */
  readonly pidSpace: string;
  readonly pid: number;
  readonly pidStart: string;
}

export interface NodeState {
  readonly leaseUntil: Instant;
  readonly seenAt: Instant;
  /** When another node took its runs over; null while it lives. */
  readonly deadSince: Instant | null;
  readonly process: ProcessMark | null;
  /** The description of the node for people. */
  readonly report: unknown;
}

export function nodeKey(id: string): ExecutionKey {
  return { namespace: nodeNamespace, archetype: nodeArchetype, id };
}

export function nodeStateOf(row: ExecutionRow): NodeState {
  return JSON.parse(row.state) as NodeState;
}

export function newNodeRow(id: string, state: NodeState, now: Instant): ExecutionWrite {
  return {
    key: nodeKey(id),
    incarnation: id,
    version: 1,
    status: 'open',
    wakeAt: null,
    state: JSON.stringify(state),
    signals: {},
    incident: null,
    createdAt: now,
    closedAt: null,
    attributes: {},
  };
}

export function nextNodeRow(row: ExecutionRow, state: NodeState): ExecutionWrite {
  return { ...row, version: row.version + 1, state: JSON.stringify(state) };
}

/** Whether other nodes may end the leases of this one. */
export function isSilent({ leaseUntil, deadSince }: NodeState, now: Instant): boolean {
  return deadSince !== null || leaseUntil < now;
}

export function isForgettable({ deadSince }: NodeState, now: Instant): boolean {
  return deadSince !== null && addTime(deadSince, deadKeptMs) < now;
}

/**
 * The stored form of an execution's hot row: one compact JSON text. Cold components appear with a stamp in place of
 * their state. Keys are single letters because every fire writes them.
 */
import type { Instant } from '../base/time.ts';
import { StoreError } from '../store/error.ts';
import type { AnyComponent, State } from './component.ts';
import { readState } from './component.ts';
import { NewerVersion } from './newer-version.ts';

/** [state, component version, execution version that created it, stamp of the part when cold]. */
export type StoredNode = readonly [state: unknown, version: number, born: number, stamp?: number];

/** Trailing fields belong to side-effect tasks that were tried: attempt and end of the lease. */
export type StoredTask = readonly [
  id: number,
  path: string,
  name: string,
  at: number,
  payload: unknown,
  attempt?: number,
  leaseUntil?: number,
];

export interface StoredDocument {
  /** The format version of this structure. */
  readonly f: 1;
  /** Id of the next task. */
  readonly n: number;
  readonly c: Readonly<Record<string, StoredNode>>;
  readonly t: readonly StoredTask[];
  /** Stamp of the part that remembers request ids, when there is one. */
  readonly r?: number;
}

export interface PendingTask {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly at: Instant;
  readonly payload: unknown;
  /** Tries so far; 0 for pure tasks and untried ones. */
  readonly attempt: number;
  /** The end of the lease of the current try; 0 when no node holds a lease. */
  readonly leaseUntil: number;
}

export function readDocument(text: string): StoredDocument {
  let document: StoredDocument;
  try {
    document = JSON.parse(text) as StoredDocument;
  } catch (error) {
    throw new StoreError('corrupt', 'an execution state is not JSON', error);
  }
  if (document.f > 1)
    throw new NewerVersion(
      `an execution was stored in format ${document.f}, this code knows 1; run the newer code`,
    );
  if (document.f !== 1)
    throw new StoreError('corrupt', `execution state has the unknown format ${document.f}`);
  return document;
}

/** The hot state of the root, for code that has a row and no tree; undefined when the row has none. */
export function readRoot<C extends AnyComponent>(component: C, text: string): State<C> | undefined {
  const root = readDocument(text).c[''];
  return root === undefined || root[0] === null ? undefined : readState(component, root[0], root[1]);
}

export function readTask(stored: StoredTask): PendingTask {
  const [id, path, name, at, payload, attempt = 0, leaseUntil = 0] = stored;
  return { id, path, name, at: at as Instant, payload, attempt, leaseUntil };
}

/**
 * Writes the text that `readDocument` reads. `nodes` are the members of `c`, as texts, because most of them are unchanged. Paths and
 * names need no escaping: names are identifiers, and ids in paths are percent-encoded.
 */
export function documentText({ nextTaskId, tasks, requestStamp }: DocumentFields, nodes: string): string {
  let t = '';
  for (const task of tasks) t += t === '' ? taskText(task) : `,${taskText(task)}`;
  const r = requestStamp === 0 ? '' : `,"r":${requestStamp}`;
  return `{"f":1,"n":${nextTaskId},"c":{${nodes}},"t":[${t}]${r}}`;
}

export interface DocumentFields {
  readonly nextTaskId: number;
  readonly tasks: readonly PendingTask[];
  /** The stamp of the part with request ids; 0: there is none. */
  readonly requestStamp: number;
}

function taskText(task: PendingTask): string {
  const { id, path, name, at, payload, attempt, leaseUntil } = task;
  const work = payload === null ? 'null' : (JSON.stringify(payload) ?? 'null');
  const tried = attempt === 0 ? '' : `,${attempt},${leaseUntil}`;
  return `[${id},"${path}","${name}",${at},${work}${tried}]`;
}

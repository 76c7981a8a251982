/** The names under which workers behind doors hold leases, in `worker` of a run. Nodes have other names. */
import type { WorkerName } from '../../runs/worker-records.ts';

const mark = '@remote/';

export function holderName({ namespace, id }: WorkerName): string {
  return `${mark}${namespace}/${id}`;
}

/** The name of a holder for people: the worker's own id, without the mark and the namespace. */
export function shownHolder(worker: string, namespace: string): string {
  const prefix = `${mark}${namespace}/`;
  return worker.startsWith(prefix) ? worker.slice(prefix.length) : worker;
}

/** Queries over workers: the names they may use. The Web UI asks for the workers of a task queue in this way. */
import type { WorkerView } from 'carillon/internal/service';
import { matchesFilter } from 'carillon/internal/service';
import { bind } from './bind.ts';
import type { QueryField } from './field.ts';
import { parseQuery } from './parse.ts';
import { queryError } from './query-error.ts';

const fields: ReadonlyMap<string, QueryField> = new Map<string, QueryField>([
  ['WorkerInstanceKey', { type: 'Keyword', key: 'id' }],
  ['WorkerIdentity', { type: 'Keyword', key: 'identity' }],
  ['TaskQueue', { type: 'KeywordList', key: 'queues' }],
  ['SdkName', { type: 'Keyword', key: 'sdkName' }],
  ['SdkVersion', { type: 'Keyword', key: 'sdkVersion' }],
  ['StartTime', { type: 'Datetime', key: 'startedAt' }],
  ['LastHeartbeatTime', { type: 'Datetime', key: 'seenAt' }],
  // Temporal knows these fields; no worker of this server has them.
  ['HostName', { type: 'Keyword', key: 'host' }],
  ['DeploymentName', { type: 'Keyword', key: 'deployment' }],
  ['BuildId', { type: 'Keyword', key: 'build' }],
]);

/** A filter of workers by a query. An empty query matches all. */
export function workerFilter(query: string): (worker: WorkerView) => boolean {
  const { where, groupBy } = parseQuery(query);
  const [grouping] = groupBy;
  if (grouping !== undefined) throw queryError('GROUP BY is not supported for workers', grouping.at);
  if (where === null) return () => true;
  const filter = bind(where, (name) => fields.get(name));
  return (worker) => {
    const { id, name: identity, queues, startedAt, seenAt } = worker;
    const attributes = { identity, queues, startedAt, seenAt, ...sdkOf(worker) };
    return matchesFilter(filter, { key: { id }, attributes, signals: {} });
  };
}

/** The name and the version of a worker's SDK. */
export function sdkOf({ client }: WorkerView): { readonly sdkName: string; readonly sdkVersion: string } {
  const [sdkName = '', sdkVersion = ''] = (client ?? '').split('/');
  return { sdkName, sdkVersion };
}

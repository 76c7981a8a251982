/** The entries of the audit log about workflows on hosts. */
import type { Rehearsed } from '../../engine/options.ts';
import type { HostNode } from '../../host/host.ts';

export interface HostCaller {
  readonly actor: string;
  readonly door: string;
  readonly note?: string;
  /** The idempotency key: a repeated call with the same key changes nothing and returns the first answer. */
  readonly requestId?: string;
  /** Decides as always and writes nothing: called with what would have been written. */
  readonly rehearsed?: Rehearsed;
}

export function audit(
  host: HostNode,
  { actor, door, note = '' }: HostCaller,
  action: string,
  after?: object,
): void {
  host.audit({
    namespace: host.key.namespace,
    target: `host/${host.key.id}`,
    actor,
    door,
    action,
    note,
    before: null,
    after: after === undefined ? null : JSON.stringify(after),
  });
}

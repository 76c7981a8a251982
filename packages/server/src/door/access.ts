/** Who calls, and what they may do. Doors ask; the server finds out who it is. */
import { ServiceError } from 'carillon/internal/base';

/** Each may do what the ones before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Identity {
  /** Written into the audit. */
  readonly actor: string;
  readonly role: Role;
  /** Null: all of them. */
  readonly namespaces: readonly string[] | null;
  /** Queues on which this caller may start no work; absent: none. */
  readonly barred?: readonly string[];
}

export function demandAccess(identity: Identity, need: Role, namespace: string): void {
  const { actor, role, namespaces } = identity;
  if (namespaces !== null && !namespaces.includes(namespace)) {
    throw denied(`the key '${actor}' is not for the namespace '${namespace}'`);
  }
  if (roles.indexOf(role) < roles.indexOf(need)) {
    throw denied(`this needs the role ${need}, and the key '${actor}' is a ${role}`);
  }
}

function denied(message: string): ServiceError {
  return new ServiceError({ code: 'permissionDenied', reason: 'PERMISSION_DENIED', message });
}

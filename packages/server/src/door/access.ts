/** The identity of a caller and what it may do. The server identifies callers; doors check their access. */
import { ServiceError } from 'carillon/internal/base';

/** The roles, from least to most; each may do everything that the roles before it may. */
export const roles = ['viewer', 'worker', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Identity {
  /** The name written into the audit. */
  readonly actor: string;
  readonly role: Role;
  /** Namespaces that the caller may use; null means all. */
  readonly namespaces: readonly string[] | null;
  /** Queues from which the caller may claim runs. Absent means all. */
  readonly queues?: readonly string[];
  /** Queues on which this caller may not start work. Absent means no such queue. */
  readonly barred?: readonly string[];
}

/** The most namespaces of a key that a refusal names. */
const mostNamed = 20;

/** A refusal for the namespace names those that the key is for, so that a page or a person can go there. */
export function demandAccess(identity: Identity, need: Role, namespace: string): void {
  const { actor, role, namespaces } = identity;
  if (namespaces !== null && !namespaces.includes(namespace)) {
    throw denied(
      `the key '${actor}' is not for the namespace '${namespace}'`,
      namespaces.slice(0, mostNamed),
    );
  }
  if (roles.indexOf(role) < roles.indexOf(need)) {
    throw denied(`this needs the role ${need}, and the key '${actor}' has the role ${role}`);
  }
}

/** Checks that the caller may work on all of these queues. */
export function demandQueues({ actor, queues: own }: Identity, queues: readonly string[]): void {
  const foreign = own === undefined ? undefined : queues.find((queue) => !own.includes(queue));
  if (foreign !== undefined) throw denied(`the key '${actor}' is not for the queue '${foreign}'`);
}

function denied(message: string, didYouMean: readonly string[] = []): ServiceError {
  return new ServiceError({ code: 'permissionDenied', reason: 'PERMISSION_DENIED', message, didYouMean });
}

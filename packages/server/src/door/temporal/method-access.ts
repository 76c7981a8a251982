/**
 * The role that a procedure needs, derived from its name. A procedure whose name does not say that it reads counts as a
 * change, so that a new one is never left open.
 */
import type { Identity, Role } from '../access.ts';
import { demandAccess } from '../access.ts';

const reading = /^(Describe|List|Get|Count|Query|Scan)/;

/** Procedures that change a namespace or its search attributes. */
const administering = /^(Register|Update|Deprecate|Delete)Namespace|SearchAttributes$/;

/** Procedures that concern no namespace: every admitted caller may use them. */
const openMethods = /^(GetSystemInfo|GetClusterInfo|ListNamespaces)$/;

export function roleFor(method: string): Role {
  if (reading.test(method)) return 'viewer';
  return administering.test(method) ? 'admin' : 'operator';
}

export function demandRole(identity: Identity, method: string, namespace: string): void {
  const { namespaces } = identity;
  // Without a namespace name there is nothing to check here; procedures that find the namespace otherwise check it themselves.
  const isOpen = namespace === '' || openMethods.test(method);
  demandAccess(
    isOpen && namespaces !== null ? { ...identity, namespaces: null } : identity,
    roleFor(method),
    namespace,
  );
}

/** Which role a procedure needs. By its name, so that one added later is not forgotten: what does not read, changes. */
import type { Identity, Role } from '../access.ts';
import { demandAccess } from '../access.ts';

const reading = /^(Describe|List|Get|Count|Query|Scan)/;

/** What concerns a whole namespace or all of them. */
const administering = /^(Register|Update|Deprecate|Delete)Namespace|SearchAttributes$/;

/** Names on which nothing is done to a namespace: those are for any that may come in. */
const everybodys = /^(GetSystemInfo|GetClusterInfo|ListNamespaces)$/;

export function roleFor(method: string): Role {
  if (reading.test(method)) return 'viewer';
  return administering.test(method) ? 'admin' : 'operator';
}

export function demandRole(identity: Identity, method: string, namespace: string): void {
  const { namespaces } = identity;
  // Without a name there is nothing to compare; procedures that find the namespace by other means ask again.
  const isOpen = namespace === '' || everybodys.test(method);
  demandAccess(
    isOpen && namespaces !== null ? { ...identity, namespaces: null } : identity,
    roleFor(method),
    namespace,
  );
}

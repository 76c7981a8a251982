/** Events of workflows on hosts, delivered to listeners of this process after they are durable. */
import type { HostFact } from '../../host/fact.ts';
import { hostFactTypes } from '../../host/fact.ts';
import { hostArchetype } from '../../host/library.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** An event of a workflow on a host. */
export type HostEvent = HostFact & { readonly namespace: string; readonly workflow: string };

export class HostEvents {
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Calls the listener after each durable event that this process decided. Returns an unsubscribe function. */
  subscribe(listener: (event: HostEvent) => void): () => void {
    return this.#runtime.facts((key, fact) => {
      if (key?.archetype !== hostArchetype || !known.has(fact.type)) return;
      // Only typed nodes of this archetype report facts with these types.
      return listener({ ...(fact as HostFact), namespace: key.namespace, workflow: key.id });
    });
  }
}

const known: ReadonlySet<string> = new Set(hostFactTypes);

/** Conductor workflows as an archetype, which this package adds to the library's runtime. */
import type { Archetype, RunRow, Runtime, Store } from 'carillon/internal/archetype';
import { Definitions } from './definitions.ts';
import { FlowChanges } from './flow-changes.ts';
import { flowJobs } from './flow-jobs.ts';
import { flowLibrary } from './flow-library.ts';
import { FlowReads } from './flow-reads.ts';
import { flowQueue } from './flow-runs.ts';
import { FlowStarts } from './flow-starts.ts';
import type { FlowRoot } from './flow-tree.ts';
import { flowArchetype } from './flow-tree.ts';
import type { HttpTaskOptions } from './http-task.ts';
import { httpTasks } from './http-task.ts';
import { inlineQueue } from './inline-definition.ts';
import { handlerQueue, inlineFlows, scheduledFlows } from './scheduled-flow.ts';
import type { RunScript } from './script.ts';
import { scriptRunner } from './script.ts';
import { TaskGate } from './task-gate.ts';
import { TaskLogs } from './task-logs.ts';

export interface FlowOptions {
  readonly http?: HttpTaskOptions;
  /** Runs scripts. Default: in a sandbox in another thread. */
  readonly runScript?: RunScript;
}

/** The use cases of workflows. */
export interface Flows {
  readonly definitions: Definitions;
  readonly starts: FlowStarts;
  readonly reads: FlowReads;
  readonly changes: FlowChanges;
  readonly logs: TaskLogs;
  /** Whether the program has a handler under a name. */
  readonly isHandler: (name: string) => boolean;
  /** The number of tasks that wait for workers on a queue, and the number that workers hold. */
  readonly waiting: (namespace: string, queue: string) => Promise<number>;
  readonly working: (namespace: string, queue: string) => Promise<number>;
  /** The oldest runs that wait on a queue. */
  readonly queued: (namespace: string, queue: string, limit: number) => Promise<readonly RunRow[]>;
}

export type FlowArchetype = Archetype<Flows, typeof FlowRoot>;

/** Workflows of a Carillon. Give the object in `archetypes`, and to the server as `flow`. */
export function flow({ http = {}, runScript }: FlowOptions = {}): FlowArchetype {
  const archetype: FlowArchetype = {
    name: flowArchetype,
    library: flowLibrary,
    queues: (runtime: Runtime) => ({
      [flowQueue]: flowJobs({
        runtime,
        flows: () => runtime.of(archetype),
        http: httpTasks({ clock: runtime.clock, ...http }),
        runScript: runScript ?? scriptRunner({ clock: runtime.clock }),
      }),
      [inlineQueue]: inlineFlows(runtime, () => runtime.of(archetype)),
    }),
    gate: (runtime) => taskGate(runtime, runtime.of(archetype)),
    before: (runtime) => ({ [handlerQueue]: scheduledFlows(runtime, () => runtime.of(archetype)) }),
    services: (runtime, library) => {
      const { store, newId, engine, clock } = runtime;
      const definitions = new Definitions({ store, newId });
      const starts = new FlowStarts({ engine, library, definitions, clock, newId });
      return {
        definitions,
        starts,
        reads: new FlowReads(runtime),
        changes: new FlowChanges(runtime, starts),
        logs: new TaskLogs(runtime),
        isHandler: (name) => runtime.hasHandler(handlerQueue, name),
        waiting: (namespace, queue) => count(store, { namespace, queue, states: ['waiting'] }),
        working: (namespace, queue) => count(store, { namespace, queue, states: ['leased'] }),
        queued: async (namespace, queue, limit) =>
          limit === 0
            ? []
            : (await store.runs({ namespace, queue, states: ['waiting'], order: 'ascending', limit })).items,
      };
    },
  };
  return archetype;
}

function taskGate({ store, clock, newId }: Runtime, { definitions }: Flows): TaskGate {
  return new TaskGate({ store, clock, newId, definitions });
}

const pageSize = 1000;
/** The most tasks of a queue that are counted. */
const mostCounted = 10_000;

async function count(
  store: Store,
  which: Pick<Parameters<Store['runs']>[0], 'namespace' | 'queue' | 'states'>,
): Promise<number> {
  let found = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['runs']>> = await store.runs({
      ...which,
      payloads: false,
      limit: pageSize,
      ...(after === null ? {} : { after }),
    });
    found += page.items.length;
    after = page.next;
  } while (after !== null && found < mostCounted);
  return found;
}

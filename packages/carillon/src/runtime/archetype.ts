/**
 * What a package brings to a runtime: a kind of execution (schedules, hosts, flows), the handlers it needs, and the use
 * cases that callers have of it. The runtime knows nothing else of it.
 */
import type { AnyComponent } from '../engine/component.ts';
import type { Library } from '../engine/library.ts';
import type { RunControl } from '../runs/run-control.ts';
import type { WorkerQueue } from '../runs/worker.ts';
import type { Runtime } from './runtime.ts';

/** What the side effects of an archetype may ask of the node they run on. */
export interface ArchetypePorts {
  readonly runs: RunControl;
}

/** `S`: its use cases, as one value. */
export interface Archetype<S, C extends AnyComponent = AnyComponent> {
  /** The archetype of its executions. Persisted. */
  readonly name: string;
  library(ports: ArchetypePorts): Library<C>;
  /** Handlers of its own, by queue. Asked for when the runtime starts. */
  queues?(runtime: Runtime): Readonly<Record<string, WorkerQueue>>;
  /** `library` is what `library()` made for this runtime. */
  services(runtime: Runtime, library: Library<C>): S;
}

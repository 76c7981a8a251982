/**
 * What a package adds to a runtime: a kind of execution (schedules, hosts, flows), the handlers it needs, and its use
 * cases for callers. The runtime knows nothing else about it.
 */
import type { AnyComponent } from '../engine/component.ts';
import type { Library } from '../engine/library.ts';
import type { Settings } from '../engine/setting.ts';
import type { ClaimGate } from '../runs/claim-gate.ts';
import type { Handler } from '../runs/context.ts';
import type { WorkerQueue } from '../runs/offered-queues.ts';
import type { RunControl } from '../runs/run-control.ts';
import type { Runtime } from './runtime.ts';

/** The parts of a node that the side effects of an archetype may use. */
export interface ArchetypePorts {
  readonly runs: RunControl;
  /** What the operator set. */
  readonly settings: Settings;
}

/** Handlers of an archetype that are asked before the program's own handlers of a queue. */
export interface StandIn {
  /** Chooses the handler of a name; undefined leaves its runs to other processes. Asked for every run, so it must be quick. */
  find(name: string, own: Handler | undefined): Handler | undefined;
  /** The names it has handlers for besides the program's own; null: it may know every name. */
  names(): readonly string[] | null;
}

/** An archetype; `S` is the type of its use cases, one value. */
export interface Archetype<S, C extends AnyComponent = AnyComponent> {
  /** The archetype's name, stored with its executions. */
  readonly name: string;
  library(ports: ArchetypePorts): Library<C>;
  /** The archetype's own handlers, by queue. The runtime calls it at its start. */
  queues?(runtime: Runtime): Readonly<Record<string, WorkerQueue>>;
  /** Called when the runtime starts, before its first step: what the program brings is stored here. */
  starting?(runtime: Runtime): Promise<void>;
  /** What stands before the program's handlers, by queue. */
  before?(runtime: Runtime): Readonly<Record<string, StandIn>>;
  /** Limits how many runs of some queues are in work. At most one archetype of a runtime has such limits. */
  gate?(runtime: Runtime): ClaimGate;
  /** Makes the use cases; `library` is what `library()` made for this runtime. */
  services(runtime: Runtime, library: Library<C>): S;
}

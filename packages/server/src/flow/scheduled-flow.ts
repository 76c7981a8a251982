/**
 * Runs that are workflows. A schedule of Conductor names a workflow and starts a run under that name: when a definition is
 * registered under it, the run becomes a workflow with the run's id and waits for its end; otherwise the program's handler
 * of that name runs. A run of another door is the program's, if the program has such a handler.
 */
import type { Handler, RunContext, Runtime, StandIn, WorkerQueue } from 'carillon/internal/archetype';
import { NonRetryable, optionsOf, park } from 'carillon/internal/archetype';
import type { Clock, Instant } from 'carillon/internal/base';
import { addTime, given } from 'carillon/internal/base';
import type { Parameters } from './definition.ts';
import type { Flows } from './flow-archetype.ts';
import { longestFlowMs } from './flow-jobs.ts';
import { noSuchWorkflow } from './flow-starts.ts';
import { inlineDefinition } from './inline-definition.ts';
import { isFields } from './read-fields.ts';

/** The queue of handlers, on which schedules start runs by name. */
export const handlerQueue = 'default';

/** The fields that the Conductor door stores with the runs of its schedules. */
interface Asked {
  readonly version?: number;
  /** A definition that is used instead of a registered one. */
  readonly workflowDef?: unknown;
  readonly correlationId?: string;
  readonly taskToDomain?: Readonly<Record<string, string>>;
}

const door = 'conductor';

/** The most starts of one process at once; each is one transaction. */
const mostInline = 100;

/** How often names are looked up that belong to no handler and no known workflow. */
const refreshMs = 1000;

/** A process with more workflows reports that it may know every name, so that no run is given up because of a shortened list. */
const mostNames = 500;

export function scheduledFlows(runtime: Runtime, flows: () => Flows): StandIn {
  const learn = atMostEvery(refreshMs, runtime.clock, () => void flows().definitions.refresh());
  learn();
  return {
    find: (name, own) => {
      if (flows().definitions.isKnown(name))
        return (context) => runFlow(context, own, { runtime, flows: flows() });
      if (own === undefined) learn();
      return own;
    },
    names: () => {
      const names = flows().definitions.knownNames();
      return names.length > mostNames ? null : names;
    },
  };
}

export function inlineFlows(runtime: Runtime, flows: () => Flows): WorkerQueue {
  return {
    concurrency: mostInline,
    handlers: () => (context) => runFlow(context, undefined, { runtime, flows: flows() }),
  };
}

function atMostEvery(ms: number, clock: Clock, call: () => void): () => void {
  let next: Instant | undefined;
  return () => {
    if (next !== undefined && clock.now() < next) return;
    next = addTime(clock.now(), ms);
    call();
  };
}

async function runFlow(
  context: RunContext,
  own: Handler | undefined,
  { runtime, flows }: { readonly runtime: Runtime; readonly flows: Flows },
): Promise<unknown> {
  const { id, name, namespace, input } = context;
  const run = await runtime.runs.get(id);
  const asked = (run === undefined ? undefined : optionsOf(run).memo?.[door]) as Asked | undefined;
  if (asked === undefined && own !== undefined) return await own(context);
  // In schedules version 0 means the latest, because clients send it when they leave the version out.
  const version = asked?.version === 0 ? undefined : asked?.version;
  const definition =
    asked?.workflowDef === undefined
      ? (await flows.definitions.find(namespace, name, version))?.definition
      : inlineDefinition(asked.workflowDef, name, notStarted);
  if (definition === undefined) {
    if (own !== undefined) return await own(context);
    throw notStarted(noSuchWorkflow(name, version).message);
  }
  const { correlationId, taskToDomain } = asked ?? {};
  await flows.starts.start(namespace, {
    name,
    id,
    definition,
    input: isFields(input) ? (input as Parameters) : {},
    priority: Math.max(0, Math.min(99, context.priority)),
    parent: { run: id },
    ...given({ correlationId, taskToDomain }),
  });
  return park({ forMs: longestFlowMs });
}

function notStarted(message: string): Error {
  return Object.assign(new NonRetryable(message), { startFailed: true });
}

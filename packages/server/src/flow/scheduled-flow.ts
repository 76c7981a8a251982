/**
 * Runs that are workflows. A schedule of Conductor names a workflow and starts a run under that name: when a definition is
 * registered under it, the run becomes a workflow with the run's id and waits for its end; otherwise the program's handler
 * of that name runs. A run of another door is the program's, if the program has such a handler.
 */
import type { Handler, RunContext, Runtime, StandIn } from 'carillon/internal/archetype';
import { NonRetryable, optionsOf, park } from 'carillon/internal/archetype';
import type { Clock, Instant } from 'carillon/internal/base';
import { addTime, given } from 'carillon/internal/base';
import type { Parameters } from './definition.ts';
import type { Flows } from './flow-archetype.ts';
import { longestFlowMs } from './flow-jobs.ts';
import { noSuchWorkflow } from './flow-starts.ts';
import { isFields } from './read-fields.ts';

/** The queue of handlers, on which schedules start runs by name. */
export const handlerQueue = 'default';

/** What the door of Conductor keeps with the runs of its schedules. */
interface Asked {
  readonly version?: number;
  readonly correlationId?: string;
  readonly taskToDomain?: Readonly<Record<string, string>>;
}

const door = 'conductor';

/** How often names are looked up that are neither a handler nor a known workflow. */
const refreshMs = 1000;

export function scheduledFlows(runtime: Runtime, flows: () => Flows): StandIn {
  const learn = atMostEvery(refreshMs, runtime.clock, () => void flows().definitions.refresh());
  learn();
  return (name, own) => {
    if (flows().definitions.isKnown(name))
      return (context) => runFlow(context, own, { runtime, flows: flows() });
    if (own === undefined) learn();
    return own;
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
  // Version 0 means the latest in schedules, as clients that leave it out mean it.
  const version = asked?.version === 0 ? undefined : asked?.version;
  const definition = await flows.definitions.find(namespace, name, version);
  if (definition === undefined) {
    if (own !== undefined) return await own(context);
    throw Object.assign(new NonRetryable(noSuchWorkflow(name, version).message), { startFailed: true });
  }
  const { correlationId, taskToDomain } = asked ?? {};
  await flows.starts.start(namespace, {
    name,
    id,
    definition: definition.definition,
    input: isFields(input) ? (input as Parameters) : {},
    priority: Math.max(0, Math.min(99, context.priority)),
    parent: { run: id },
    ...given({ correlationId, taskToDomain }),
  });
  return park({ forMs: longestFlowMs });
}

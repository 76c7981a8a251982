/** The span of one attempt. Spans that its handler creates are its children. */
import type { Attributes } from '@opentelemetry/api';
import { formatInstant } from '../base/time.ts';
import type { Handler, RunContext } from '../runs/context.ts';
import { isRunInterrupted } from '../runs/context.ts';
import { isParking } from '../runs/parking.ts';
import { activeTracing, beginning, spanKind, within } from './tracer.ts';

const wrapped = new WeakMap<Handler<never>, Handler>();

/** Wraps a handler in a span per call. The same handler always gets the same wrapper. */
export function traced(handler: Handler<never>): Handler {
  let found = wrapped.get(handler);
  if (found === undefined) {
    const seen = handler as Handler;
    found = (run) => (activeTracing() === undefined ? seen(run) : perform(run, seen));
    wrapped.set(handler, found);
  }
  return found;
}

async function perform(run: RunContext, handler: Handler): Promise<unknown> {
  const tracing = activeTracing();
  if (tracing === undefined) return await handler(run);
  const { api, tracer } = tracing;
  // The step or request that started a run ends long before the run does, so the run's span is linked to it instead
  // of being its child.
  const span = tracer.startSpan(
    `run ${run.name}`,
    beginning(api, { kind: spanKind.consumer, attributes: attributesOf(run) }),
  );
  return await within(api, span, async () => {
    try {
      const result = await handler(run);
      span.setAttribute('carillon.outcome', isParking(result) ? 'parked' : 'completed');
      return result;
    } catch (error) {
      span.setAttribute('carillon.outcome', outcomeOf(error, run));
      throw error;
    }
  });
}

function outcomeOf(error: unknown, { signal }: RunContext): string {
  const { reason } = signal;
  const interruption = isRunInterrupted(reason) ? reason : error;
  return isRunInterrupted(interruption) ? interruption.kind : 'failed';
}

function attributesOf(run: RunContext): Attributes {
  const { id, namespace, queue, name, attempt, schedule, scheduledAt, cause } = run;
  return {
    'carillon.namespace': namespace,
    'carillon.run.id': id,
    'carillon.run.name': name,
    'carillon.run.attempt': attempt,
    'carillon.queue': queue,
    'carillon.nominal': formatInstant(scheduledAt),
    ...(schedule === null ? {} : { 'carillon.schedule': schedule }),
    ...(cause === null ? {} : { 'carillon.cause': cause }),
  };
}

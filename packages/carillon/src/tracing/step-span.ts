/** The span of one step, told after its commit: a batch of executions decided and written together. */
import { SpanKind } from '@opentelemetry/api';
import type { Clock } from '../base/clock.ts';
import { addTime } from '../base/time.ts';
import { activeTracer } from './tracer.ts';

export interface Step {
  readonly executions: number;
  readonly tookMs: number;
}

export function traceStep({ executions, tookMs }: Step, clock: Clock): void {
  const tracer = activeTracer();
  if (tracer === undefined) return;
  const now = clock.now();
  const span = tracer.startSpan('step', {
    root: true,
    kind: SpanKind.INTERNAL,
    startTime: addTime(now, -tookMs),
    attributes: { 'carillon.executions': executions },
  });
  span.end(now);
}

/** The span of one step, recorded after its commit. A step decides and writes a batch of executions together. */
import type { Clock } from '../base/clock.ts';
import { addTime } from '../base/time.ts';
import { activeTracing, spanKind } from './tracer.ts';

export interface Step {
  readonly executions: number;
  readonly tookMs: number;
}

export function traceStep({ executions, tookMs }: Step, clock: Clock): void {
  const tracing = activeTracing();
  if (tracing === undefined) return;
  const now = clock.now();
  const span = tracing.tracer.startSpan('step', {
    root: true,
    kind: spanKind.internal,
    startTime: addTime(now, -tookMs),
    attributes: { 'carillon.executions': executions },
  });
  span.end(now);
}

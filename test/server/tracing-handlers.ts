/** Handlers of a server under test. */
import { trace } from '@opentelemetry/api';
import type { Carillon } from '../../packages/carillon/src/main.ts';

export function register(carillon: Carillon): void {
  carillon.handle('failing', () => {
    trace.getTracer('mine').startSpan('inside').end();
    throw new Error('on purpose');
  });
}

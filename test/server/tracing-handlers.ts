/** Handlers of a server under test. */
import { trace } from '@opentelemetry/api';
import type { Carillon } from '../../src/main.ts';

export function register(carillon: Carillon): void {
  carillon.handle('failing', () => {
    trace.getTracer('mine').startSpan('inside').end();
    throw new Error('on purpose');
  });
}

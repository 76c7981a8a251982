/** For `@carillon/server` of the same version only; no promises. */
export type { Tracing } from '../tracing/tracer.ts';
export { activeTracing, incomingContext } from '../tracing/tracer.ts';

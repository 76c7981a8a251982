/** For `@carillon/server` of the same version only; no promises. */
export { activeTracer, incomingContext } from '../tracing/tracer.ts';

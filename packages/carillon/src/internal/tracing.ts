/** Only for `@carillon/server` of the same version; may change without notice. */
export type { Tracing } from '../tracing/tracer.ts';
export { activeTracing, incomingContext } from '../tracing/tracer.ts';

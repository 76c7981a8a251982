/**
 * Sends spans to the OpenTelemetry SDK that this process has registered, either in the embedding program or by the
 * server's configuration. Without an SDK no span is made, and the check costs some nanoseconds.
 *
 * `@opentelemetry/api` is an optional peer. An SDK registers itself in the global object, so the package is looked up
 * once, when the first span is needed. If an SDK is registered but this module cannot resolve the package, there are
 * no spans.
 */
import type { Context, Span, SpanOptions, Tracer, TracerProvider } from '@opentelemetry/api';
import { requirePackage } from '../base/optional-package.ts';

type Api = typeof import('@opentelemetry/api');

const instrumentation = 'carillon';

/** The global symbol under which every copy of the API keeps its registrations. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Values of the API's enumerations, which the OpenTelemetry standard fixes. */
export const spanKind = { internal: 0, client: 2, consumer: 4 } as const;
const statusError = 2;

/** Undefined before the first lookup, null when the package is absent. */
let api: Api | null | undefined;

/** `load` is a parameter so that tests can simulate an absent package. */
export function findApi(load: (name: string) => unknown = requirePackage): Api | null {
  try {
    return load('@opentelemetry/api') as Api;
  } catch {
    return null;
  }
}

/** The API returns a proxy; only the proxy knows whether a provider is registered. */
interface Proxied extends TracerProvider {
  getDelegateTracer?(name: string): Tracer | undefined;
}

/** A tracer and the API that made it. */
export interface Tracing {
  readonly api: Api;
  readonly tracer: Tracer;
}

/** Returns undefined while no SDK is registered. */
export function activeTracing(): Tracing | undefined {
  if ((globalThis as { readonly [key: symbol]: unknown })[registry] === undefined) return undefined;
  if (api === undefined) api = findApi();
  if (api === null) return undefined;
  const provider = api.trace.getTracerProvider() as Proxied;
  const tracer =
    provider.getDelegateTracer === undefined
      ? provider.getTracer(instrumentation)
      : provider.getDelegateTracer(instrumentation);
  return tracer === undefined ? undefined : { api, tracer };
}

/** Runs `work` as the given span and ends the span; an error of the work is recorded on the span and rethrown. */
export async function within<T>({ trace, context }: Api, span: Span, work: () => T | Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function failed(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error) span.recordException(error);
  span.setStatus({ code: statusError, message });
}

/** Options of a span that starts a new trace and is linked to the span that caused it. */
export function beginning({ trace }: Api, options: SpanOptions): SpanOptions {
  const cause = trace.getActiveSpan()?.spanContext();
  return { ...options, root: true, ...(cause === undefined ? {} : { links: [{ context: cause }] }) };
}

/** The headers by which the receiver of a request can join the present trace. */
export function outgoingHeaders({ propagation, context }: Api): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** The trace that an incoming request belongs to. */
export function incomingContext(
  { propagation, ROOT_CONTEXT }: Api,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

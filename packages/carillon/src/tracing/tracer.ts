/**
 * Where spans go: to whatever OpenTelemetry SDK this process has registered, be it by the program that embeds us or by the
 * server's configuration. Without one nothing is made and nothing is kept; asking costs some nanoseconds.
 */
import type { Span, SpanOptions, Tracer, TracerProvider } from '@opentelemetry/api';
import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';

const instrumentation = 'carillon';

/** The registered provider stands behind a proxy, which alone knows whether there is one. */
interface Proxied extends TracerProvider {
  getDelegateTracer?(name: string): Tracer | undefined;
}

/** Undefined while nobody wants spans. */
export function activeTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider() as Proxied;
  if (provider.getDelegateTracer === undefined) return provider.getTracer(instrumentation);
  return provider.getDelegateTracer(instrumentation);
}

/** Runs `work` as the given span and ends it; what it throws is on the span, and thrown on. */
export async function within<T>(span: Span, work: () => T | Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

export function failed(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error) span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** A span that begins a trace of its own and remembers what brought it about. */
export function beginning(options: SpanOptions): SpanOptions {
  const cause = trace.getActiveSpan()?.spanContext();
  return { ...options, root: true, ...(cause === undefined ? {} : { links: [{ context: cause }] }) };
}

/** The headers by which whoever is asked can join the present trace. */
export function outgoingHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** The trace that an incoming request belongs to. */
export function incomingContext(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return propagation.extract(ROOT_CONTEXT, headers);
}

/** Creates a span for each HTTP request, as part of the caller's trace when the request names one. */
import type { Context, Span } from '@opentelemetry/api';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { activeTracing, incomingContext, type Tracing } from 'carillon/internal/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type {} from '../door/request.ts';

interface Seen {
  readonly span: Span;
  readonly context: Context;
}

/** `isTraced` excludes paths that machines poll every few seconds. */
export function traceRequests(app: FastifyInstance, isTraced: (url: string) => boolean): void {
  const requests = new WeakMap<FastifyRequest, Seen>();
  app.addHook('onRequest', (request, _, done) => {
    const tracing = activeTracing();
    if (tracing !== undefined && isTraced(request.url)) requests.set(request, begin(request, tracing));
    done();
  });
  // Reading the body loses the async context of the request; this hook restores the span's context.
  app.addHook('preHandler', (request, _, done) => {
    const seen = requests.get(request);
    if (seen === undefined) done();
    else context.with(seen.context, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const seen = requests.get(request);
    if (seen !== undefined) end(seen.span, request, reply.statusCode);
    done();
  });
}

function begin(request: FastifyRequest, { api, tracer }: Tracing): Seen {
  const { method, headers } = request;
  const parent = incomingContext(api, headers);
  // The route pattern and not the path, because ids and tokens must not appear in span names.
  const route = request.routeOptions.url ?? 'unknown';
  const options = {
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': method,
      'url.scheme': request.protocol,
      'http.route': route,
      'carillon.request.id': request.id,
    },
  };
  const span = tracer.startSpan(`${method} ${route}`, options, parent);
  return { span, context: trace.setSpan(parent, span) };
}

function end(span: Span, request: FastifyRequest, status: number): void {
  const { operation, namespace, actor } = request.note;
  if (operation !== undefined) span.updateName(`${request.method} ${operation}`);
  span.setAttribute('http.response.status_code', status);
  if (operation !== undefined) span.setAttribute('carillon.operation', operation);
  if (namespace !== undefined) span.setAttribute('carillon.namespace', namespace);
  if (actor !== undefined) span.setAttribute('enduser.id', actor);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

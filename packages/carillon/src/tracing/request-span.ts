/** The span of a request that we send: whoever answers it can join the trace. */
import { SpanKind } from '@opentelemetry/api';
import { activeTracer, outgoingHeaders, within } from './tracer.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
}

/** `send` gets the headers to add, and what it answers says how it went. */
export async function asRequest<T extends { readonly status: number }>(
  { method, url }: Outgoing,
  send: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const tracer = activeTracer();
  if (tracer === undefined) return await send({});
  const span = tracer.startSpan(method, {
    kind: SpanKind.CLIENT,
    attributes: {
      'http.request.method': method,
      // Without the query, which may hold what is nobody else's business.
      'url.full': `${url.origin}${url.pathname}`,
      'server.address': url.hostname,
      ...(url.port === '' ? {} : { 'server.port': Number(url.port) }),
    },
  });
  return await within(span, async () => {
    const answer = await send(outgoingHeaders());
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

/** The span of an outgoing request. Its receiver can join the trace. */
import { activeTracing, outgoingHeaders, spanKind, within } from './tracer.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
}

/** Runs `send` in a span. `send` receives the headers to add; the status that it returns becomes the span's status. */
export async function asRequest<T extends { readonly status: number }>(
  { method, url }: Outgoing,
  send: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const tracing = activeTracing();
  if (tracing === undefined) return await send({});
  const { api, tracer } = tracing;
  const span = tracer.startSpan(method, {
    kind: spanKind.client,
    attributes: {
      'http.request.method': method,
      // The query is left out, because it may hold secrets.
      'url.full': `${url.origin}${url.pathname}`,
      'server.address': url.hostname,
      ...(url.port === '' ? {} : { 'server.port': Number(url.port) }),
    },
  });
  return await within(api, span, async () => {
    const answer = await send(outgoingHeaders(api));
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

/** The span of a request that we send: its receiver can join the trace. */
import { activeTracing, outgoingHeaders, spanKind, within } from './tracer.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
}

/** `send` gets the headers to add, and what it answers says how it went. */
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
      // Without the query, which may hold secrets.
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

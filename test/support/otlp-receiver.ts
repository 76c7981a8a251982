/** A real OTLP/HTTP receiver for traces: takes the JSON that exporters send and keeps the spans. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2 for an error. */
  readonly status: number;
  readonly service: unknown;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes' | 'status' | 'links'> & {
        readonly attributes: readonly Attribute[];
        readonly links?: ReceivedSpan['links'];
        readonly status?: { readonly code?: number };
      })[];
    }[];
  }[];
}

export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** What came to any other path or in any other form. */
  readonly odd: string[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const isJson = request.headers['content-type'] === 'application/json';
      if (request.url === '/v1/traces' && isJson) this.#take(JSON.parse(body) as Sent);
      else this.odd.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  static async open(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): ReceivedSpan {
    const span = this.spans.find((each) => each.name === name);
    if (span === undefined) throw new Error(`no span '${name}' among ${this.spans.map((each) => each.name)}`);
    return span;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take({ resourceSpans = [] }: Sent): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = attributesOf(resource.attributes)['service.name'];
      for (const { spans } of scopeSpans) {
        for (const { attributes, links = [], status, ...span } of spans) {
          this.spans.push({
            ...span,
            attributes: attributesOf(attributes),
            links,
            status: status?.code ?? 0,
            service,
          });
        }
      }
    }
  }
}

function attributesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

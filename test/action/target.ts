/** A real HTTP server on loopback that records its requests and answers as the test says. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

export class Target implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** Connections that were ever opened. */
  connections = 0;
  readonly #server;
  readonly #waiting: { count: number; resolve: () => void }[] = [];
  reply: Reply;

  constructor(reply: Reply = (_, response) => void response.end()) {
    this.reply = reply;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async open(reply?: Reply): Promise<Target> {
    const target = new Target(reply);
    await new Promise<void>((resolve) => target.#server.listen(0, '127.0.0.1', resolve));
    return target;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Resolves when it has received that many requests. */
  async until(count: number): Promise<void> {
    if (this.asked.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    };
    this.asked.push(asked);
    for (const { count, resolve } of this.#waiting) if (this.asked.length >= count) resolve();
    this.reply(asked, response, request);
  }
}

/** Answers with the status, and a body if there is one: a text as it is, anything else as JSON. */
export function answering(status: number, body?: unknown, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    const json = body !== undefined && typeof body !== 'string';
    response.writeHead(status, { ...(json ? { 'content-type': 'application/json' } : {}), ...headers });
    response.end(json ? JSON.stringify(body) : body);
  };
}

/** A port on loopback that refuses connections. */
export async function closedPort(): Promise<number> {
  const target = await Target.open();
  const { port } = target;
  await target[Symbol.asyncDispose]();
  return port;
}

/** A server on loopback with an ephemeral port, and short functions to call it. */
import type { Carillon, CarillonOptions } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import type { Server, ServerOptions } from '../../packages/server/src/server/server.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { until } from '../support/until.ts';

export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at JSON of every shape
  readonly body: any;
}

export interface Said {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class DoorStage implements AsyncDisposable {
  readonly carillon: Carillon;
  readonly server: Server;

  private constructor(carillon: Carillon, server: Server) {
    this.carillon = carillon;
    this.server = server;
  }

  static async open(
    options: Omit<ServerOptions, 'carillon'> = {},
    parts: CarillonOptions = {},
    setup: (carillon: Carillon) => void = () => {},
  ): Promise<DoorStage> {
    const carillon = await openCarillon({ store: 'memory:', ...parts });
    carillon.handle('work', () => 'done');
    carillon.handle('long', async ({ signal }) => {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    carillon.handle('fail', () => {
      throw new Error('on purpose');
    });
    setup(carillon);
    const server = await startServer({ port: 0, drainMs: 100, ...options, carillon });
    return new DoorStage(carillon, server);
  }

  /** `path` under /api/v1. */
  async call(path: string, said: Said = {}): Promise<Heard> {
    return await this.raw(`/api/v1${path}`, said);
  }

  async raw(path: string, { method, body, headers = {} }: Said = {}): Promise<Heard> {
    const response = await fetch(`${this.server.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  async create(id: string, fields: object = {}): Promise<Heard> {
    return await this.call('/schedules', { body: { id, every: '1h', run: 'work', ...fields } });
  }

  /** Repeats the request until the answer is as expected. */
  async until(path: string, holds: (heard: Heard) => boolean): Promise<Heard> {
    return await until(() => this.call(path), holds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
  }
}

/**
 * A proxy between a store and its Redis that can cut connections at the worst moment: after the request passed, before
 * the answer did.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export class RedisProxy {
  readonly #port: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server = createServer((near) => this.#join(near));
  #isMute = false;
  #heard = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `redis://127.0.0.1:${address.port}`;
  }

  /** From now on answers are thrown away; resolves when the server has given the first of them. */
  mute(): Promise<void> {
    this.#isMute = true;
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  /** Cuts every connection; new ones are passed on as before. */
  cut(): void {
    this.#isMute = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (this.#isMute) this.#heard();
      else near.write(data);
    });
  }
}

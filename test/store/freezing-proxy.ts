/** A proxy that can freeze: connections stay open and nothing passes, as with a lost host or a stuck proxy. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

interface Wire {
  readonly near: Socket;
  readonly far: Socket;
  isFrozen: boolean;
}

export class FreezingProxy {
  readonly #port: number;
  readonly #wires = new Set<Wire>();
  readonly #server = createServer((near) => this.#join(near));
  #freezesNew = false;
  port = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.port = address.port;
  }

  /** Nothing passes on the connections that are open; with `newOnes`, nor on those made from now on. */
  freeze({ newOnes = false }: { readonly newOnes?: boolean } = {}): void {
    for (const wire of this.#wires) wire.isFrozen = true;
    this.#freezesNew = newOnes;
  }

  /** New connections work; those that were frozen stay so. */
  thaw(): void {
    this.#freezesNew = false;
  }

  async close(): Promise<void> {
    for (const { near, far } of this.#wires) {
      near.destroy();
      far.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    const wire: Wire = { near, far, isFrozen: this.#freezesNew };
    this.#wires.add(wire);
    const pass = (from: Socket, to: Socket) => {
      from.on('error', () => {});
      from.on('data', (data) => {
        if (!wire.isFrozen) to.write(data);
      });
      from.on('close', () => {
        // The far end of a frozen connection gets no data and no end.
        if (!wire.isFrozen) to.destroy();
        if (near.destroyed) this.#wires.delete(wire);
        if (near.destroyed && wire.isFrozen) far.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  }
}

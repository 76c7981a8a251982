/** A TCP proxy that breaks connections: answers are lost after the other side has done the work. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Each lost connection costs its client a pause before the next one. */
const mostBroken = 8;

export class FaultyProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #breakEvery: number;
  #answers = 0;
  broken = 0;
  isBreaking = true;

  private constructor(target: string, breakEvery: number) {
    this.#breakEvery = breakEvery;
    const [host = '127.0.0.1', port = '0'] = target.split(':');
    this.#server = createServer((client) => {
      const upstream = connect(Number(port), host);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.on('data', (data) => upstream.write(data));
      upstream.on('data', (data) => {
        this.#answers += 1;
        const isNext = this.#answers % this.#breakEvery === 0 && this.broken < mostBroken;
        if (this.isBreaking && isNext) {
          this.broken += 1;
          client.destroy();
        } else client.write(data);
      });
    });
  }

  /** Every so many answers one is lost, with its connection. */
  static async open(target: string, breakEvery: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, breakEvery);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

// A TCP proxy that loses answers: the server has done the work, and the client does not learn of it.
import { connect, createServer } from 'node:net';

export class CuttingProxy {
  /** Connections that were cut. */
  cut = 0;
  #sockets = new Set();
  #answers = 0;
  #server;
  #most;

  /** Loses every n-th answer with its connection, at most `most` times. */
  constructor(target, { every, most }) {
    this.#most = most;
    const [host, port] = target.split(':');
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
        if (this.#answers % every !== 0 || this.cut >= this.#most) return void client.write(data);
        this.cut += 1;
        client.destroy();
      });
    });
  }

  async open() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get address() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

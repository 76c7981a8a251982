/**
 * At most so many requests to one host at once, because a scheduler that starts a thousand runs at nine o'clock must not
 * be the outage of the host they all call. Whoever waits waits in order; waiting is no part of a request's own timeout.
 */

interface Host {
  open: number;
  readonly waiting: (() => void)[];
}

export class HostGate {
  readonly #limit: number;
  /** Only hosts that are being asked right now. */
  readonly #hosts = new Map<string, Host>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves to the way out, which must be called once; rejects with the signal's reason. */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const host = this.#hosts.get(name) ?? { open: 0, waiting: [] };
    this.#hosts.set(name, host);
    if (host.open < this.#limit) host.open += 1;
    else await this.#turn(host, signal);
    return () => this.#leave(name, host);
  }

  async #turn({ waiting }: Host, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const pass = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(pass), 1);
        reject(signal.reason);
      };
      waiting.push(pass);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** A place that is handed on stays open. */
  #leave(name: string, host: Host): void {
    const next = host.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    host.open -= 1;
    if (host.open === 0) this.#hosts.delete(name);
  }
}

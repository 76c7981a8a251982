/**
 * Limits the concurrent requests to one host, because a scheduler that starts a thousand runs at nine o'clock must
 * not overload the host that they all call. Requests wait in order; the wait does not count towards a request's own
 * timeout.
 */

interface Host {
  open: number;
  readonly waiting: (() => void)[];
}

export class HostGate {
  readonly #limit: number;
  /** The hosts with requests at this moment. */
  readonly #hosts = new Map<string, Host>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Waits for a free slot of the host. Resolves to a release function, which must be called once; rejects with the
   * signal's reason.
   */
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

  /** Releases a slot. If a request waits, it takes over the slot. */
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

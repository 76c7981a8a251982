/**
 * Ends connections that owe an answer and stay silent.
 *
 * A server that is lost without closing its connections (a host that died, a firewall or proxy that froze) leaves connections open on
 * which every question waits for ever: neither the driver nor the kernel notices for many minutes. So a connection that is
 * lent has a longest silence. Silence is judged by the bytes received, once a second, so that a usual call costs
 * only an entry in a map. When one connection is given up, the others are suspect: those that are idle are ended
 * too, and those that owe an answer get a shorter silence, so that they are not waited for one after the other.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { addTime } from '../../base/time.ts';

const lookMs = 1000;
/** The longest silence of a suspect connection. */
const suspectMs = 3000;

interface Watched {
  longestMs: number;
  bytes: number;
  /** The time of the timer when the connection last received bytes, or was lent. */
  since: number;
}

export class SilenceWatch {
  readonly #timer: Clock;
  readonly #sockets = new Set<Socket>();
  readonly #lent = new Map<Socket, Watched>();
  #cancel: (() => void) | null = null;

  constructor(timer: Clock) {
    this.#timer = timer;
  }

  /** Adds a new connection. */
  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#lent.delete(socket);
    });
  }

  /** Begins to watch a connection that owes an answer; it may be silent for this long. */
  lend(socket: Socket, longestMs: number): void {
    this.#lent.set(socket, { longestMs, bytes: socket.bytesRead, since: this.#timer.now() });
    this.#cancel ??= this.#lookLater();
  }

  /** Ends the watch: every query has been answered. */
  giveBack(socket: Socket): void {
    this.#lent.delete(socket);
  }

  /** Ends every connection, also those in use. */
  endAll(reason: string): void {
    for (const socket of [...this.#sockets]) socket.destroy(new Error(reason));
  }

  #lookLater(): () => void {
    return this.#timer.wakeAt(addTime(this.#timer.now(), lookMs), () => {
      this.#cancel = null;
      this.#check();
      if (this.#lent.size > 0) this.#cancel ??= this.#lookLater();
    });
  }

  #check(): void {
    const now = this.#timer.now();
    let isSuspect = false;
    for (const [socket, watched] of this.#lent) {
      if (socket.bytesRead !== watched.bytes) {
        watched.bytes = socket.bytesRead;
        watched.since = now;
      } else if (now - watched.since >= watched.longestMs) {
        isSuspect = true;
        end(socket, watched.longestMs);
      }
    }
    if (isSuspect) this.#endSuspects(now);
  }

  #endSuspects(now: number): void {
    for (const socket of [...this.#sockets]) {
      const watched = this.#lent.get(socket);
      // A migration has no limit and gets none.
      if (watched !== undefined && Number.isFinite(watched.longestMs)) {
        watched.longestMs = Math.min(watched.longestMs, suspectMs);
      }
      if (watched === undefined || now - watched.since >= watched.longestMs) end(socket, suspectMs);
    }
  }
}

function end(socket: Socket, silentMs: number): void {
  socket.destroy(
    new Error(
      `the server has not answered for ${Math.round(silentMs / 1000)} s, so the connection was given up: look at the server, and at what is between it and this process`,
    ),
  );
}

/** The driver's socket, which its types do not show. */
export function socketOf(client: object): Socket | undefined {
  return (client as { readonly connection?: { readonly stream?: Socket } }).connection?.stream;
}

/**
 * The commands to workers: a worker that holds a task learns at once that it must stop, also when its code never sends a
 * heartbeat. Each worker process polls a command queue of its own. Its activity polls name that queue, so this node knows which
 * leases it gave to which process. An activity poll that is sent before the SDK has created its command queue names none; its
 * lease is kept for the command queue that the same identity polls. Leases that a process got from another node, or before this
 * node started, are looked up when its first poll arrives here.
 */
import type { LeaseName, WorkerService } from 'carillon/internal/service';
import { field } from '../fields.ts';
import { encode, typeNamed } from '../protocol.ts';
import type { TaskLease } from './task-token.ts';
import { writeTaskToken } from './task-token.ts';

const commandType = typeNamed('temporal.api.worker.v1.WorkerCommand');
const commandsField = 1;

/** The most processes that are remembered; the one that has not polled for the longest time is dropped first. */
const mostProcesses = 10_000;

interface Process {
  /** Whether the process has polled here before, and its earlier leases were looked up. */
  isKnown: boolean;
  readonly leases: Map<string, TaskLease>;
  /** Functions that end the waits of current polls, because there is another lease to watch. A process may have several. */
  readonly wakes: Set<() => void>;
}

export interface CommandWait {
  readonly forMs: number;
  readonly signal: AbortSignal;
  readonly leaving?: AbortSignal;
  readonly now: () => number;
}

export interface CommandPoll {
  readonly namespace: string;
  readonly queue: string;
  readonly identity: string;
}

/** The key for leases without a command queue. No queue has this name, because names do not begin with a space. */
const byIdentity = (identity: string) => ` ${identity}`;

export class WorkerCommands {
  readonly #workers: Pick<WorkerService, 'stops'>;
  readonly #processes = new Map<string, Process>();

  constructor(workers: Pick<WorkerService, 'stops'>) {
    this.#workers = workers;
  }

  /** Stores that a process holds a lease; `queue` is empty when the poll did not name its command queue. */
  handedOut(
    { queue, identity }: { readonly queue: string; readonly identity: string },
    lease: TaskLease,
  ): void {
    const process = this.#process(queue === '' ? byIdentity(identity) : queue);
    process.leases.set(lease.runId, lease);
    for (const wake of process.wakes) wake();
  }

  /** Whether the process of this command queue polls here for the first time. */
  isNew(queue: string): boolean {
    if (queue === '') return false;
    const process = this.#process(queue);
    const { isKnown } = process;
    process.isKnown = true;
    return !isKnown;
  }

  /** Removes the lease of an attempt that has ended. */
  ended({ runId }: TaskLease): void {
    for (const { leases } of this.#processes.values()) leases.delete(runId);
  }

  /** Waits for leases of the process that must stop; none when the wait is over. */
  async next({ namespace, queue, identity }: CommandPoll, wait: CommandWait): Promise<readonly TaskLease[]> {
    const { signal, leaving, now } = wait;
    const own = this.#process(queue);
    const unnamed = this.#process(byIdentity(identity));
    const end = now() + wait.forMs;
    while (now() < end && leaving?.aborted !== true) {
      const woken = new AbortController();
      const wake = () => woken.abort();
      own.wakes.add(wake);
      unnamed.wakes.add(wake);
      let found: readonly LeaseName[];
      try {
        found = await this.#workers.stops(namespace, [...own.leases.values(), ...unnamed.leases.values()], {
          forMs: end - now(),
          signal,
          leaving: leaving === undefined ? woken.signal : AbortSignal.any([woken.signal, leaving]),
        });
      } finally {
        own.wakes.delete(wake);
        unnamed.wakes.delete(wake);
      }
      // A poll whose caller has disconnected must not take a command from a later poll.
      if (signal.aborted) return [];
      const ordered = found.filter(({ runId }) => own.leases.delete(runId) || unnamed.leases.delete(runId));
      if (ordered.length > 0) return ordered.map(({ runId, token }) => ({ namespace, runId, token }));
    }
    return [];
  }

  #process(queue: string): Process {
    const known = this.#processes.get(queue) ?? { isKnown: false, leases: new Map(), wakes: new Set() };
    this.#processes.delete(queue);
    this.#processes.set(queue, known);
    for (const oldest of this.#processes.keys()) {
      if (this.#processes.size <= mostProcesses) break;
      this.#processes.delete(oldest);
    }
    return known;
  }
}

/** `temporal.api.nexusservices.workerservice.v1.ExecuteCommandsRequest`, which the message definitions lack. */
export function cancelCommands(leases: readonly TaskLease[]): Uint8Array {
  const commands = leases.map((lease) =>
    field(commandsField, encode(commandType, { cancelActivity: { taskToken: writeTaskToken(lease) } })),
  );
  return Buffer.concat(commands);
}

/**
 * The commands to workers: a worker that holds a task learns at once that it shall stop, also when its code never sends a
 * heartbeat. Each worker process polls a queue of its own for them; its activity polls name that queue, so this node knows
 * which leases it handed out to which process. A process that polls another node is told by its heartbeats.
 */
import type { WorkerService } from 'carillon/internal/service';
import { field } from '../fields.ts';
import { encode, typeNamed } from '../protocol.ts';
import type { TaskLease } from './task-token.ts';
import { writeTaskToken } from './task-token.ts';

const commandType = typeNamed('temporal.api.worker.v1.WorkerCommand');
const commandsField = 1;

/** Processes that are remembered; the one that was heard of longest ago is forgotten first. */
const mostProcesses = 10_000;

interface Process {
  readonly leases: Map<string, TaskLease>;
  /** Ends the wait of a poll, because there is another lease to watch. */
  wake: () => void;
}

export interface CommandWait {
  readonly forMs: number;
  readonly signal: AbortSignal;
  readonly leaving?: AbortSignal;
  readonly now: () => number;
}

export class WorkerCommands {
  readonly #workers: Pick<WorkerService, 'stops'>;
  readonly #processes = new Map<string, Process>();

  constructor(workers: Pick<WorkerService, 'stops'>) {
    this.#workers = workers;
  }

  /** Notes that a process holds a lease. */
  handedOut(queue: string, lease: TaskLease): void {
    if (queue === '') return;
    const process = this.#process(queue);
    process.leases.set(lease.runId, lease);
    process.wake();
  }

  /** Notes that an attempt is over. */
  ended({ runId }: TaskLease): void {
    for (const { leases } of this.#processes.values()) leases.delete(runId);
  }

  /** Waits for leases of the process that shall stop; none when the wait is over. */
  async next(namespace: string, queue: string, wait: CommandWait): Promise<readonly TaskLease[]> {
    const { signal, leaving, now } = wait;
    const process = this.#process(queue);
    const end = now() + wait.forMs;
    while (now() < end && leaving?.aborted !== true) {
      const woken = new AbortController();
      process.wake = () => woken.abort();
      const found = await this.#workers.stops(namespace, [...process.leases.values()], {
        forMs: end - now(),
        signal,
        leaving: leaving === undefined ? woken.signal : AbortSignal.any([woken.signal, leaving]),
      });
      for (const { runId } of found) process.leases.delete(runId);
      if (found.length > 0) return found.map(({ runId, token }) => ({ namespace, runId, token }));
    }
    return [];
  }

  #process(queue: string): Process {
    const known = this.#processes.get(queue) ?? { leases: new Map(), wake: () => {} };
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

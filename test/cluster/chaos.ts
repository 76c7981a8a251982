/**
 * A cluster of real processes under faults: nodes are killed by SIGKILL and restarted, one node is suspended for longer than
 * its leases, clocks differ by minutes, and the store itself is restarted half way.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';

export interface ChaosOptions {
  readonly url: string;
  readonly seed: number;
  readonly nodes: number;
  readonly schedules: number;
  readonly seconds: number;
  readonly killEverySeconds: number;
  /** Called once, halfway through the chaos run. */
  readonly restartStore: () => Promise<void>;
  /** Resolves when nothing that is due now is left undecided. */
  readonly caughtUp: () => Promise<void>;
  /** How long one node is suspended, in seconds; 0 suspends none. */
  readonly freezeSeconds: number;
  /** Largest skew of the nodes' clocks, in ms. */
  readonly skews: readonly number[];
}

export interface ChaosLog {
  /** When a node was killed, by this machine's clock. */
  readonly kills: readonly number[];
  readonly storeRestarts: readonly number[];
}

const child = fileURLToPath(new URL('./cluster-node.mjs', import.meta.url));
const mostTries = 20;

export async function chaos(options: ChaosOptions): Promise<ChaosLog> {
  const random = new SeededRandom(options.seed);
  const nodes = new Map<number, ChildProcess>();
  const log = { kills: [] as number[], storeRestarts: [] as number[] };
  const launch = async (index: number, schedules = 0) => {
    const skew = options.skews[index % Math.max(1, options.skews.length)] ?? 0;
    const args = [child, options.url, `node-${index}`, String(schedules), String(skew)];
    // Like a supervisor, this starts a node again that could not start because the store was unreachable.
    for (let left = mostTries; ; left -= 1) {
      const node = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', left > 1 ? 'ignore' : 'inherit'],
      });
      nodes.set(index, node);
      if (await isReady(node)) return;
      if (left <= 1) throw new Error(`node ${index} does not come up`);
      await sleep(500);
    }
  };
  try {
    await launch(0, options.schedules);
    await Promise.all(Array.from({ length: options.nodes - 1 }, (_, index) => launch(index + 1)));
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    let frozen = -1;
    let nextKill = options.killEverySeconds;
    let restarted: Promise<void> | undefined;
    while (elapsed() < options.seconds) {
      await sleep(100);
      if (options.freezeSeconds > 0 && frozen < 0 && elapsed() > 3) {
        frozen = options.nodes - 1;
        nodes.get(frozen)?.kill('SIGSTOP');
      }
      if (elapsed() >= nextKill) {
        nextKill += options.killEverySeconds;
        const still = elapsed() < options.freezeSeconds + 3 ? frozen : -1;
        const victim = random.pick([...nodes.keys()].filter((index) => index !== still));
        log.kills.push(Date.now());
        const dying = nodes.get(victim) as ChildProcess;
        dying.kill('SIGKILL');
        await once(dying, 'exit');
        await launch(victim);
      }
      if (restarted === undefined && elapsed() > options.seconds / 2) {
        log.storeRestarts.push(Date.now());
        restarted = options.restartStore();
        // The rejection is reported to the code that waits for the node.
        restarted.catch(() => {});
      }
      if (frozen >= 0 && elapsed() > options.freezeSeconds + 3) nodes.get(frozen)?.kill('SIGCONT');
    }
    await restarted;
    // Everything that was due has its verdict.
    await options.caughtUp();
    await Promise.all([...nodes.values()].map(endInOrder));
    return log;
  } finally {
    for (const node of nodes.values()) {
      node.kill('SIGCONT');
      node.kill('SIGKILL');
    }
  }
}

/** Resolves to false when the process ended instead. */
async function isReady(node: ChildProcess): Promise<boolean> {
  return await Promise.race([
    once(node.stdout as NodeJS.ReadableStream, 'data').then(() => true),
    once(node, 'exit').then(() => false),
  ]);
}

async function endInOrder(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGCONT');
  node.kill('SIGTERM');
  await ended;
}

/**
 * The workflows that this program knows: what it registers before the start, and what a development server registers anew when
 * its module has changed. The stored graphs follow them (`deploying.ts`); runs of workflows that it no longer knows wait for
 * a program that does.
 */
import type { Problem } from '../../base/error.ts';
import { ServiceError } from '../../base/error.ts';
import type { Graph } from '../../host/graph.ts';
import { hostQueue, runName } from '../../host/proceed.ts';
import type { Runner } from '../../host/runner.ts';
import type { HostSettings } from '../../host/settings.ts';
import type { Workflow } from '../../host/workflow.ts';
import type { WorkerQueue } from '../../runs/offered-queues.ts';

/** A workflow that this program knows, with the host's settings for it. */
export interface KnownWorkflow {
  readonly namespace: string;
  readonly workflow: Workflow;
  readonly graph: Graph;
  readonly settings: HostSettings;
}

/** What a reload brought, by the names of workflows. */
export interface ReloadedWorkflows {
  readonly workflows: readonly string[];
  readonly removed: readonly string[];
}

/** Runs of hosts that one node carries out at once. */
const defaultConcurrency = 100;

export class KnownWorkflows {
  /** The workflows, by the name of their runs. */
  #known = new Map<string, KnownWorkflow>();
  /** The workflows that the latest `reload` registered. */
  #loaded = new Set<string>();
  /** What the `reload` under way has registered so far. */
  #loading: Set<string> | undefined;
  #concurrency = 0;
  #isStarted = false;

  add(workflows: readonly KnownWorkflow[], concurrency: number = defaultConcurrency): void {
    if (this.#isStarted && this.#loading === undefined) throw new Error('create the host before start()');
    const problems: Problem[] = [];
    for (const each of workflows) {
      const name = runName(each.namespace, each.workflow.name);
      const isReplaced = this.#loaded.has(name) && this.#loading?.has(name) === false;
      if (this.#known.has(name) && !isReplaced)
        problems.push({
          path: each.workflow.name,
          reason: 'NAME_TAKEN',
          message: `the workflow '${each.workflow.name}' is on a host already`,
          fix: 'give each workflow once',
        });
      this.#known.set(name, each);
      this.#loading?.add(name);
    }
    if (problems.length > 0) throw ServiceError.invalid(problems);
    this.#concurrency = Math.max(this.#concurrency, concurrency);
  }

  /**
   * Calls `register`, which may replace the workflows that the previous call registered; workflows that it does not
   * register again are no longer known. When it throws, everything is as it was.
   */
  async reload<T>(register: () => Promise<T>): Promise<ReloadedWorkflows & { readonly result: T }> {
    const before = new Map(this.#known);
    const loading = new Set<string>();
    this.#loading = loading;
    try {
      const result = await register();
      const removed = [...this.#loaded].filter((name) => !loading.has(name));
      for (const name of removed) this.#known.delete(name);
      this.#loaded = loading;
      const names = (of: Iterable<string>) =>
        [...of]
          .map((name) => before.get(name) ?? this.#known.get(name))
          .map((each) => each?.workflow.name ?? '');
      return { result, workflows: names(loading), removed: names(removed) };
    } catch (error) {
      this.#known = before;
      throw error;
    } finally {
      this.#loading = undefined;
    }
  }

  /** From now on only a reload adds workflows. */
  start(): void {
    this.#isStarted = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  all(): readonly KnownWorkflow[] {
    return [...this.#known.values()];
  }

  get(namespace: string, workflow: string): Workflow | undefined {
    return this.#known.get(runName(namespace, workflow))?.workflow;
  }

  /** The queue of their runs; none while the program knows no workflow and never did. */
  queues(runner: Runner): Readonly<Record<string, WorkerQueue>> {
    if (this.#known.size === 0 && this.#concurrency === 0) return {};
    return {
      [hostQueue]: {
        concurrency: this.#concurrency,
        handlers: (name: string) => {
          const known = this.#known.get(name);
          return known === undefined ? undefined : runner.handlerOf(known.namespace, known.workflow);
        },
      },
    };
  }
}

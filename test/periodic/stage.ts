/** Nodes with one registry each, on one store, in virtual time, like several processes of one service. */
import { onTestFinished } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { formatInstant } from '../../packages/carillon/src/base/time.ts';
import type { LogFields, PeriodicLogger } from '../../packages/carillon/src/periodic/log-lines.ts';
import type { PeriodicOptions } from '../../packages/carillon/src/periodic/periodic.ts';
import { Periodic } from '../../packages/carillon/src/periodic/periodic.ts';
import type { PeriodicTask, TaskContext } from '../../packages/carillon/src/periodic/task.ts';
import {
  CarillonWorld,
  type CarillonWorldOptions,
} from '../../packages/carillon/src/testing/carillon-world.ts';
import type { NodeSetting } from '../../packages/carillon/src/testing/cluster.ts';

export interface Ran
  extends Pick<
    TaskContext,
    'id' | 'schedule' | 'payload' | 'priority' | 'trigger' | 'scheduledAt' | 'actualAt' | 'attempt'
  > {
  readonly node: string;
}

export interface Line {
  readonly level: 'info' | 'debug' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

export interface StageOptions extends Omit<CarillonWorldOptions, 'setup'> {
  /** What the code of a node declares, at each start of the node. */
  readonly tasks: (node: NodeSetting) => readonly PeriodicTask[];
  readonly options?: (node: NodeSetting) => Partial<PeriodicOptions>;
  /** Registers more on a node that has just started. */
  readonly setup?: CarillonWorldOptions['setup'];
  /** What every job does after it was recorded. */
  readonly work?: (context: TaskContext, node: NodeSetting) => unknown;
}

export class PeriodicStage extends CarillonWorld {
  readonly ran: Ran[] = [];
  readonly lines: Line[] = [];
  readonly #periodics: Map<string, Periodic>;

  constructor({ tasks, options, work, setup, ...world }: StageOptions) {
    const periodics = new Map<string, Periodic>();
    const ran: Ran[] = [];
    const lines: Line[] = [];
    super({
      start: '2026-01-05T10:20:00Z',
      expectFailures: true,
      ...world,
      setup: (carillon, node) => {
        const periodic = new Periodic({
          carillon,
          logger: loggerTo(lines),
          instance: node.name,
          ...options?.(node),
        });
        for (const task of tasks(node)) {
          const run = (context: TaskContext) => {
            const { id, schedule, payload, priority, trigger, scheduledAt, actualAt, attempt } = context;
            ran.push({
              id,
              schedule,
              payload,
              priority,
              trigger,
              scheduledAt,
              actualAt,
              attempt,
              node: node.name,
            });
            return work?.(context, node);
          };
          // A task that names its job has its handler elsewhere.
          periodic.register(task.job === undefined ? { ...task, run } : task);
        }
        setup?.(carillon, node);
        periodics.set(node.name, periodic);
      },
    });
    this.ran = ran;
    this.lines = lines;
    this.#periodics = periodics;
  }

  /** Starts all nodes, and each syncs its tasks. */
  static async open(options: StageOptions): Promise<PeriodicStage> {
    const stage = new PeriodicStage(options);
    onTestFinished(() => stage[Symbol.asyncDispose]());
    await stage.start();
    for (let index = 0; index < stage.nodeCount; index += 1) await stage.periodic(index).start();
    return stage;
  }

  periodic(index = 0): Periodic {
    return this.#periodics.get(`node-${index}`) as Periodic;
  }

  /** A node comes back with the code its `tasks` now have. */
  async redeploy(index = 0): Promise<void> {
    await this.restart(index);
    await this.periodic(index).start();
  }

  /** Occurrences for which jobs ran, as hours and minutes. */
  get times(): readonly string[] {
    return this.ran.map(({ scheduledAt }) => clockText(scheduledAt));
  }

  /** History as `time decision`, oldest first; a stretch as `from-to×count decision`. */
  async decisions(id: string): Promise<readonly string[]> {
    const history = await this.periodic().history(id);
    return history
      .map(({ nominal, until, count, decision }) =>
        count === 1
          ? `${clockText(nominal)} ${decision}`
          : `${clockText(nominal)}-${clockText(until)}×${count} ${decision}`,
      )
      .reverse();
  }
}

export function clockText(at: Instant): string {
  return formatInstant(at).slice(11, 16);
}

export function loggerTo(lines: Line[]): PeriodicLogger {
  const at = (level: Line['level']) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  return { info: at('info'), debug: at('debug'), error: at('error') };
}

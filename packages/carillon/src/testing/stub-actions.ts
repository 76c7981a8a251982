/** Stands in for work outside the program (HTTP requests, commands, jobs): calls are recorded and nothing is sent. */
import type { ActionQueue } from '../action/action.ts';
import { actionQueue, targetQueue } from '../action/action.ts';
import type { OutsideKind } from '../action/kind.ts';
import { outsideKinds } from '../action/kind.ts';
import type { Instant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';

/** One attempt of work that would have left the program. */
export interface RecordedCall {
  readonly kind: OutsideKind;
  /** What the schedule says under its kind, such as `{ url, method }`, and its input. */
  readonly target: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly attempt: number;
  readonly scheduledAt: Instant;
}

/** Answers in the place of the outside world; what it returns is the result of the run, what it throws fails the attempt. */
export type StubAnswer = (call: RecordedCall) => unknown;
export type StubAnswers = Readonly<Partial<Record<OutsideKind, StubAnswer>>>;

/** A stub never makes a run wait. */
const concurrency = 10_000;

export function stubActions(
  answers: StubAnswers,
  calls: RecordedCall[],
): Readonly<Record<string, ActionQueue>> {
  return Object.fromEntries(
    outsideKinds.flatMap((kind) => {
      const perform = ({ input, id: runId, attempt, scheduledAt }: RunContext) => {
        // The kind's schema accepts objects only.
        const call = {
          kind,
          target: input as RecordedCall['target'],
          runId,
          attempt,
          scheduledAt,
        };
        calls.push(call);
        return answers[kind]?.(call) ?? null;
      };
      const queue: ActionQueue = { concurrency, handlers: () => perform };
      // Kinds with several targets have a queue for each; schedules that name none use the default one.
      return [actionQueue(kind), targetQueue(kind)].map((name) => [name, queue]);
    }),
  );
}

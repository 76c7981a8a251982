/** What an operator may turn. Each default has its reason. */
import type { Duration } from '../base/time.ts';
import { second } from '../base/time.ts';

export interface EngineTuning {
  /** Executions per step when there is no backlog: small, so that other work gets its turn. */
  readonly stepSize: number;
  /**
   * Executions per step under backlog. A larger one costs no less per execution, blocks an embedded process longer and
   * lets a crash repeat more handlers: up to one step of them.
   */
  readonly largestStep: number;
  /** Ends of runs that ride with one step. */
  readonly mostRiders: number;
  /** Longest sleep without looking at the store: covers lost notifications and clock jumps. */
  readonly longestSleep: Duration;
  /** Pause when something is due but another node is at it. */
  readonly contended: Duration;
  /** Pause after trouble with the store, doubling up to `longestBackoff`. */
  readonly backoff: Duration;
  readonly longestBackoff: Duration;
  /** Memory for decoded cold parts and kept trees, in characters: of their texts, and 2,000 for each execution. */
  readonly partCacheSize: number;
  /** Side effects under way at once. */
  readonly sideEffects: number;
}

export const defaultTuning: EngineTuning = {
  stepSize: 64,
  largestStep: 256,
  mostRiders: 512,
  longestSleep: (5 * second) as Duration,
  contended: 20 as Duration,
  backoff: 100 as Duration,
  longestBackoff: (10 * second) as Duration,
  partCacheSize: 64 * 1024 * 1024,
  sideEffects: 128,
};

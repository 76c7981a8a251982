/** The settings that an operator may change. Each default has its reason. */
import type { Duration } from '../base/time.ts';
import { second } from '../base/time.ts';

export interface EngineTuning {
  /** Executions per step when there is no backlog: small, so that other work is not delayed. */
  readonly stepSize: number;
  /**
   * Executions per step under backlog. A larger number costs no less per execution, blocks an embedded process longer and
   * lets a crash repeat more handlers: up to one step of them.
   */
  readonly largestStep: number;
  /** The largest number of ends of runs that one step commits. */
  readonly mostJoined: number;
  /** Longest sleep without a step: makes up for lost notifications and clock jumps. */
  readonly longestSleep: Duration;
  /** Pause when executions are due but another node is deciding them. */
  readonly contended: Duration;
  /** Pause after an error of the store, doubling up to `longestBackoff`. */
  readonly backoff: Duration;
  readonly longestBackoff: Duration;
  /** Memory for decoded cold parts and kept trees, in characters: of their texts, and 2,000 for each execution. */
  readonly partCacheSize: number;
  /** The largest number of side effects under way at once. */
  readonly sideEffects: number;
}

export const defaultTuning: EngineTuning = {
  stepSize: 64,
  largestStep: 256,
  mostJoined: 512,
  longestSleep: (5 * second) as Duration,
  contended: 20 as Duration,
  backoff: 100 as Duration,
  longestBackoff: (10 * second) as Duration,
  partCacheSize: 64 * 1024 * 1024,
  sideEffects: 128,
};

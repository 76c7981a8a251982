/** The contract of a store as a test suite. Each store only opens itself; a missing capability skips tests and never changes them. */
import { afterEach, beforeEach, describe } from 'vitest';
import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { exerciseConcurrency } from './exercise-concurrency.ts';
import { exerciseEvents } from './exercise-events.ts';
import { exerciseExecutions } from './exercise-executions.ts';
import { exerciseJournals } from './exercise-journals.ts';
import { exerciseListing } from './exercise-listing.ts';
import { exerciseLogs } from './exercise-logs.ts';
import { exerciseParts } from './exercise-parts.ts';
import { exerciseRetention } from './exercise-retention.ts';
import { exerciseRunOrder } from './exercise-run-order.ts';
import { exerciseRuns } from './exercise-runs.ts';
import { exerciseSlots } from './exercise-slots.ts';
import { StandingClock } from './store-fixture.ts';

/** What each test starts with: an empty, migrated store at time 1,000,000. */
export interface Bench {
  readonly store: Store;
  readonly clock: StandingClock;
}

export interface ExerciseOptions {
  /** Called after each test with the store closed. */
  readonly cleanUp?: () => Promise<void> | void;
}

export function exerciseStore(
  name: string,
  open: (clock: Clock) => Promise<Store>,
  options: ExerciseOptions = {},
): void {
  describe(`store: ${name}`, () => {
    let bench: Bench;
    beforeEach(async () => {
      const clock = new StandingClock(1_000_000);
      const store = await open(clock);
      await store.migrate();
      bench = { store, clock };
    });
    afterEach(async () => {
      await bench.store.close();
      await options.cleanUp?.();
    });
    const get = () => bench;
    exerciseExecutions(get);
    exerciseParts(get);
    exerciseSlots(get);
    exerciseRuns(get);
    exerciseRunOrder(get);
    exerciseLogs(get);
    exerciseEvents(get);
    exerciseJournals(get);
    exerciseListing(get);
    exerciseRetention(get);
    exerciseConcurrency(get);
  });
}

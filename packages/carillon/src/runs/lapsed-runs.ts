/**
 * Examines the runs whose lease or time is over: leases that lapsed, waiting runs past their deadline or without a
 * worker, parked runs without an answer. The sweeper (`run-sweeper.ts`) decides when.
 */
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { isConflict } from '../store/error.ts';
import type { RunRow } from '../store/records.ts';
import { addAttemptEnd } from './attempt-log.ts';
import { isUnclaimed, lapse } from './lifecycle.ts';
import { saveRun } from './run-ending.ts';
import { defaultRunTuning } from './tuning.ts';

/** Whether a living worker knows the name of a run. */
export type KnowsRun = (run: Pick<RunRow, 'namespace' | 'queue' | 'name'>) => boolean;

interface Examined {
  readonly examined: number;
  /** Whether runs were left alone because it is not known which names living workers know. */
  readonly needsRoster: boolean;
}

/**
 * Decides about runs whose lease or time is over. Returns how many it examined. A run whose owner's reaction the
 * store refuses is postponed by a minute, so that it cannot delay the others.
 */
export async function checkLapsed(
  engine: Engine,
  limit: number,
  readRoster?: () => Promise<KnowsRun>,
): Promise<number> {
  let size = limit;
  let knows: KnowsRun | undefined;
  for (;;) {
    try {
      const { examined, needsRoster } = await examineOnce(engine, size, { putOff: false, knows });
      if (!needsRoster) return examined;
      knows = (await readRoster?.()) ?? (() => true);
    } catch (error) {
      if (!isConflict(error)) throw error;
      engine.observer.trouble(error);
      if (size === 1) return (await examineOnce(engine, 1, { putOff: true, knows })).examined;
      size = Math.ceil(size / 2);
    }
  }
}

/** Runs that waited too long are left alone until the roster of living workers was read. */
async function examineOnce(
  engine: Engine,
  limit: number,
  { putOff, knows }: { readonly putOff: boolean; readonly knows: KnowsRun | undefined },
): Promise<Examined> {
  return await engine.transact(
    { kind: 'lapsed', limit },
    (batch) => {
      let needsRoster = false;
      for (const run of batch.runs) {
        if (putOff) batch.saveRun({ ...run, checkAt: addTime(batch.now, defaultRunTuning.putOffMs) });
        else if (knows === undefined && isUnclaimed(run, batch.now)) needsRoster = true;
        else {
          const next = lapse(run, batch.now, knows);
          addAttemptEnd(batch, run, next);
          saveRun(batch, next, run);
        }
      }
      return { examined: batch.runs.length, needsRoster };
    },
    { isolating: true },
  );
}

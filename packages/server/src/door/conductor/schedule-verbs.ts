/** Pausing and resuming one schedule. */
import { isServiceError } from 'carillon/internal/base';
import type { ScheduleOutline } from 'carillon/internal/service';
import { scheduleNotFound } from './errors.ts';
import type { Call } from './operation.ts';
import { isCatchingUp } from './schedule-draft.ts';

export async function pauseSchedule(
  name: string,
  call: Call,
  reason: string | undefined,
): Promise<undefined> {
  const { services, namespace, caller } = call;
  await openSchedule(name, call);
  await unlessGone(name, () =>
    services.schedules.pause({ namespace, id: name }, { ...caller, note: reason ?? '' }),
  );
}

/** A schedule that is not paused is not found, as in the original. With catch-up, the slots of the pause run. */
export async function resumeSchedule(name: string, call: Call): Promise<undefined> {
  const { services, namespace, caller } = call;
  const { definition } = await openSchedule(name, call);
  if (definition.paused === null) throw scheduleNotFound(name);
  const missed = isCatchingUp(definition) ? 'all' : 'skip';
  await unlessGone(name, () => services.schedules.resume({ namespace, id: name }, { ...caller, missed }));
}

async function openSchedule(name: string, { services, namespace }: Call): Promise<ScheduleOutline> {
  const [outline] = name === '' ? [] : await services.schedules.outlines(namespace, [name]);
  if (outline === undefined) throw scheduleNotFound(name);
  return outline;
}

async function unlessGone<T>(name: string, change: () => Promise<T>): Promise<void> {
  try {
    await change();
  } catch (error) {
    const isGone =
      isServiceError(error) && (error.reason === 'EXECUTION_CLOSED' || error.reason === 'NOT_FOUND');
    throw isGone ? scheduleNotFound(name) : error;
  }
}

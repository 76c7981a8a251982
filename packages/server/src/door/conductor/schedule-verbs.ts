/** Pausing and resuming one schedule. */
import { given, isServiceError } from 'carillon/internal/base';
import type { DefinitionDraft, ScheduleDefinition, ScheduleOutline } from 'carillon/internal/service';
import { aboutOf } from 'carillon/internal/service';
import { scheduleNotFound } from './errors.ts';
import type { Call } from './operation.ts';
import type { AboutFields } from './origin.ts';
import { keptFields, originDoor } from './origin.ts';
import { isCatchingUp } from './schedule-draft.ts';

export async function pauseSchedule(
  name: string,
  call: Call,
  reason: string | undefined,
): Promise<undefined> {
  const { services, namespace, caller } = call;
  const { definition } = await openSchedule(name, call);
  await unlessGone(name, async () => {
    await keepReason(name, definition, reason === '' ? '' : undefined, call);
    await services.schedules.pause({ namespace, id: name }, { ...caller, note: reason ?? '' });
  });
}

/** A schedule that is not paused is not found, as in the original. With catch-up, the slots of the pause run. */
export async function resumeSchedule(name: string, call: Call): Promise<undefined> {
  const { services, namespace, caller } = call;
  const { definition } = await openSchedule(name, call);
  if (definition.paused === null) throw scheduleNotFound(name);
  const missed = isCatchingUp(definition) ? 'all' : 'skip';
  await unlessGone(name, async () => {
    await keepReason(name, definition, undefined, call);
    await services.schedules.resume({ namespace, id: name }, { ...caller, missed });
  });
}

/** Stores the reason of a pause, because the note of a pause cannot distinguish an empty reason from a missing one. */
async function keepReason(
  name: string,
  definition: ScheduleDefinition,
  reason: string | undefined,
  { services, namespace, caller }: Call,
): Promise<void> {
  if (keptFields<AboutFields>(definition, 'about')?.pausedReason === reason) return;
  const draft = (before: ScheduleDefinition): DefinitionDraft => {
    const { pausedReason: _, ...words } = keptFields<AboutFields>(before, 'about') ?? {};
    const { about: __, ...parts } = before.origin?.[originDoor] ?? {};
    const after: AboutFields = { ...words, ...given({ pausedReason: reason }) };
    const about = Object.keys(after).length === 0 ? {} : { about: JSON.stringify(after) };
    const { spec, action, policy } = before;
    return { ...aboutOf(before), spec, action, policy, origin: { [originDoor]: { ...parts, ...about } } };
  };
  await services.schedules.update({ namespace, id: name }, draft, caller);
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

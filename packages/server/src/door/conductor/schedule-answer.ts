/** A schedule in Conductor's words. Fields without a value are left out, except `nextRunTime`: null says that nothing comes. */
import type { ScheduleOutline } from 'carillon/internal/service';
import { isCatchingUp, shownRequest, shownWhen } from './schedule-draft.ts';
import { tagOf } from './tag.ts';

export function scheduleAnswer({ id, createdAt, definition, state, next }: ScheduleOutline): object {
  const { paused, description, tags } = definition;
  return {
    name: id,
    ...shownWhen(definition).value,
    runCatchupScheduleInstances: isCatchingUp(definition),
    paused: paused !== null,
    ...(paused === null || paused.note === '' ? {} : { pausedReason: paused.note }),
    startWorkflowRequest: shownRequest(definition).value,
    createTime: createdAt,
    updatedTime: state.updatedAt,
    createdBy: '',
    updatedBy: '',
    ...(description === '' ? {} : { description }),
    nextRunTime: next,
    ...(tags.length === 0 ? {} : { tags: tags.map(tagOf) }),
  };
}

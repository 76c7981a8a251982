/** A schedule in Conductor's format. Fields without a value are left out, except `nextRunTime`: null means never again. */
import { given } from 'carillon/internal/base';
import type { ScheduleOutline } from 'carillon/internal/service';
import type { AboutFields } from './origin.ts';
import { keptFields } from './origin.ts';
import { isCatchingUp, shownRequest, shownWhen } from './schedule-draft.ts';
import { tagOf } from './tag.ts';

export function scheduleAnswer({ id, createdAt, definition, state, next }: ScheduleOutline): object {
  const { paused, description, tags } = definition;
  const words = keptFields<AboutFields>(definition, 'about');
  const reason = paused === null || paused.note === '' ? words?.pausedReason : paused.note;
  return {
    name: id,
    ...shownWhen(definition).value,
    runCatchupScheduleInstances: isCatchingUp(definition),
    paused: paused !== null,
    ...given({ pausedReason: reason }),
    startWorkflowRequest: shownRequest(definition).value,
    createTime: createdAt,
    updatedTime: state.updatedAt,
    createdBy: '',
    updatedBy: '',
    ...given({ description: description === '' ? words?.description : description }),
    nextRunTime: next,
    ...(tags.length === 0 ? {} : { tags: tags.map(tagOf) }),
  };
}

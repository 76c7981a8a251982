/** A schedule in Conductor's words. Fields without a value are left out, except `nextRunTime`: null says that nothing comes. */
import { given } from 'carillon/internal/base';
import type { ScheduleOutline } from 'carillon/internal/service';
import type { AboutWords } from './origin.ts';
import { keptWords } from './origin.ts';
import { isCatchingUp, shownRequest, shownWhen } from './schedule-draft.ts';
import { tagOf } from './tag.ts';

export function scheduleAnswer({ id, createdAt, definition, state, next }: ScheduleOutline): object {
  const { paused, description, tags } = definition;
  const words = keptWords<AboutWords>(definition, 'about');
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

/** The schedules whose tags a bulk change touches, and the tags that each has then. Pure. */
import { countText, plural } from '../time/text.ts';

export interface Tagged {
  readonly id: string;
  readonly tags: readonly string[];
  readonly token: number;
  /** The deploy that declares the schedule; empty when there is none. */
  readonly declaredBy: string;
}

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface TagPlan {
  readonly changes: readonly Tagged[];
  /** Schedules that have all added tags and none of the removed ones. */
  readonly same: number;
}

export function tagPlan(schedules: readonly Tagged[], { add, remove }: TagChange): TagPlan {
  const out = new Set(remove);
  const changes = schedules.flatMap((schedule) => {
    const kept = schedule.tags.filter((tag) => !out.has(tag));
    const fresh = add.filter((tag) => !kept.includes(tag) && !out.has(tag));
    const isSame = fresh.length === 0 && kept.length === schedule.tags.length;
    return isSame ? [] : [{ ...schedule, tags: [...kept, ...fresh] }];
  });
  return { changes, same: schedules.length - changes.length };
}

/** The tags of the field, each once. They are separated by commas or spaces. */
export function readTags(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ''))];
}

export function planText({ changes, same }: TagPlan): readonly string[] {
  const count = changes.length;
  const declared = changes.filter(({ declaredBy }) => declaredBy !== '').length;
  const stay = same === 1 ? 'stays as it is' : 'stay as they are';
  return [
    ...(count === 0 ? [] : [`${plural(count, 'schedule')} ${count === 1 ? 'gets' : 'get'} other tags.`]),
    ...(same === 0 ? [] : [`${countText(same)} ${stay}.`]),
    ...(declared === 0
      ? []
      : [
          `${countText(declared)} of them ${declared === 1 ? 'is' : 'are'} declared by a deploy; the next deploy may put the tags back.`,
        ]),
  ];
}

/**
 * Tags of Conductor are pairs, those of a schedule are texts: `key:value`, with the colons and percent signs of the key
 * encoded. A text without a colon, which another door wrote, is a key without a value.
 */
import type { Reading } from '../../flow/read-fields.ts';
import { isFields } from '../../flow/read-fields.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

export function tagOf(text: string): Tag {
  const colon = text.indexOf(':');
  if (colon < 0) return { key: text, value: '' };
  const key = text.slice(0, colon).replace(/%3A/g, ':').replace(/%25/g, '%');
  return { key, value: text.slice(colon + 1) };
}

export function tagText({ key, value }: Tag): string {
  return `${key.replaceAll('%', '%25').replaceAll(':', '%3A')}:${value}`;
}

/** Limits of the texts of a schedule's tags. */
const mostTags = 100;
const longestTag = 255;

export function readTags(given: unknown, reading: Reading): readonly Tag[] {
  const list = reading.list(given, 'tags') ?? [];
  if (list.length > mostTags) reading.problem('tags', `a schedule has at most ${mostTags} tags`);
  return list.flatMap((item, index) => {
    const at = `tags[${index}]`;
    if (!isFields(item)) {
      reading.problem(at, 'must be an object with key and value');
      return [];
    }
    const key = reading.text(item.key, `${at}.key`) ?? '';
    const value = reading.text(item.value, `${at}.value`) ?? '';
    if (key === '') reading.problem(`${at}.key`, 'a tag needs a key');
    const tag = { key, value };
    if (tagText(tag).length > longestTag) reading.problem(at, `a tag has at most ${longestTag} characters`);
    return [tag];
  });
}

/** A tag with the key of a stored one replaces it. */
export function withTags(stored: readonly string[], tags: readonly Tag[]): readonly string[] {
  const keys = new Set(tags.map(({ key }) => key));
  const last = new Map(tags.map((tag) => [tag.key, tag]));
  return [...stored.filter((text) => !keys.has(tagOf(text).key)), ...[...last.values()].map(tagText)];
}

/** Removes tags of the same key and value. */
export function withoutTags(stored: readonly string[], tags: readonly Tag[]): readonly string[] {
  return stored.filter((text) => {
    const { key, value } = tagOf(text);
    return !tags.some((tag) => tag.key === key && tag.value === value);
  });
}

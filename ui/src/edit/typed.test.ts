import { expect, test } from 'vitest';
import { typedAt, unreadOf, valueAt, withTyped, withValue } from './typed.ts';

test('a value is taken away with the objects that it leaves empty, and its neighbours stay', () => {
  const draft = {
    run: 'a',
    retry: { attempts: 3, initial: '1s' },
    spec: { exclude: { dates: ['2026-12-24'] } },
  };
  expect(withValue(draft, 'retry.attempts', undefined).retry).toEqual({ initial: '1s' });
  expect(withValue(draft, 'spec.exclude.dates', undefined)).toEqual({ run: 'a', retry: draft.retry });
  expect(valueAt(withValue({}, 'spec.exclude.dates', ['2026-12-25']), 'spec.exclude.dates')).toEqual([
    '2026-12-25',
  ]);
});

test('a text that cannot be read is named until it can be, also when another field changes', () => {
  const draft = { run: 'a', input: { kept: true } };
  const texts = withTyped({}, draft, { path: 'input', label: 'Input', text: '{"a":1', problem: 'not JSON' });
  const unread = [{ path: 'input', label: 'Input', problem: 'not JSON' }];
  expect(unreadOf(texts, draft)).toEqual(unread);
  expect(unreadOf(texts, { ...draft, owner: 'billing' })).toEqual(unread);
  const read = { run: 'a', input: { a: 1 } };
  expect(unreadOf(withTyped(texts, read, { path: 'input', label: 'Input', text: '{"a":1}' }), read)).toEqual(
    [],
  );
});

test('a text stays as typed, and gives way to a value from elsewhere', () => {
  const draft = { tags: ['billing'] };
  const texts = withTyped({}, draft, { path: 'tags', label: 'Tags', text: 'billing, ' });
  expect(typedAt(texts, draft, 'tags')?.text).toBe('billing, ');
  expect(typedAt(texts, { tags: ['theirs'] }, 'tags')).toBeUndefined();
});

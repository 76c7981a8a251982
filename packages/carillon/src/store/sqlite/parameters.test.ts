import { expect, test } from 'vitest';
import { anonymous } from './parameters.ts';

test.each([
  ['select ?, ?', 'select ?, ?', undefined],
  ['select ?1, ?1, ?2', 'select ?, ?, ?', [0, 0, 1]],
  ['select ?2, ?, ?1', 'select ?, ?, ?', [1, 2, 0]],
  [`select '?1', "?2", 'it''s ?3', ?1`, `select '?1', "?2", 'it''s ?3', ?`, [0]],
  ['select 1', 'select 1', undefined],
])('%s', (sql, text, places) => {
  expect(anonymous(sql)).toEqual(places === undefined ? { text } : { text, places });
});

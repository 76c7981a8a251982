import { expect, test } from 'vitest';
import { factsOf } from './schedule-facts.ts';

test('a schedule without a zone is in UTC, and few runs say nothing about what is usual', () => {
  const facts = factsOf([
    { id: 'a', spec: {}, strip: { p50Ms: 1000, measured: 2 } },
    { id: 'b', spec: { zone: 'Asia/Kolkata' }, strip: { p50Ms: 659_000, measured: 41 } },
  ]);
  expect(facts.get('a')).toEqual({ zone: 'UTC' });
  expect(facts.get('b')).toEqual({ zone: 'Asia/Kolkata', usual: { ms: 659_000, runs: 41 } });
});

import { describe, expect, test } from 'vitest';
import { longestRetryAfter, meaningOf } from '../../packages/carillon/src/action/http-answer.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';

const now = instant(Date.UTC(2026, 0, 1));
const ask = (status: number, headers: Record<string, string> = {}, body = '', callbacks = false) =>
  meaningOf({
    answer: { status, headers, body: Buffer.from(body), truncated: false },
    request: 'POST https://e.com/',
    now,
    callbacks,
  });

describe('results', () => {
  test.each<[string, Record<string, string>, string, unknown]>([
    ['JSON', { 'content-type': 'application/json' }, '{"a":1}', { a: 1 }],
    ['JSON of a kind', { 'content-type': 'application/problem+json; charset=utf-8' }, '[1]', [1]],
    ['JSON without a content type', {}, '"x"', 'x'],
    ['text without a content type', {}, 'hello', 'hello'],
    ['text that looks like JSON', { 'content-type': 'text/plain' }, '42', '42'],
    ['broken JSON', { 'content-type': 'application/json' }, '{', '{'],
    ['nothing', { 'content-type': 'application/json' }, '', null],
  ])('%s', (_, headers, body, result) => {
    expect(ask(200, headers, body)).toEqual({ kind: 'completed', result });
  });

  test('202 waits only for targets that got a callback address', () => {
    expect(ask(202, {}, '', true)).toEqual({ kind: 'accepted' });
    expect(ask(202)).toEqual({ kind: 'completed', result: null });
    expect(ask(200, {}, '', true)).toEqual({ kind: 'completed', result: null });
  });
});

describe('Retry-After', () => {
  test.each([
    ['7', 7000],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['9999999', longestRetryAfter],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', undefined],
    ['Thu, 01 Jan 2099 00:00:00 GMT', longestRetryAfter],
  ])('%j is %s', (header, retryAfterMs) => {
    for (const status of [429, 503]) {
      const meaning = ask(status, { 'retry-after': header });
      expect(meaning.kind === 'failed' ? meaning.failure.retryAfterMs : '?').toBe(retryAfterMs);
    }
  });

  test('means nothing where trying again cannot help', () => {
    const meaning = ask(400, { 'retry-after': '7' });
    expect(meaning).toMatchObject({ kind: 'failed', failure: { nonRetryable: true } });
    expect(meaning.kind === 'failed' && 'retryAfterMs' in meaning.failure).toBe(false);
  });
});

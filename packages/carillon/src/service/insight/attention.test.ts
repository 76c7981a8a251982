import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import type { Watched } from './attention.ts';
import { attentionOf } from './attention.ts';

const now = 1_800_000_000_000 as Instant;
const well: Watched = {
  incident: null,
  isPaused: false,
  isEnded: false,
  next: null,
  running: 0,
  buffered: 0,
  failures: 0,
  skips: 0,
  untaken: null,
};

test('skipping needs a person from five of the latest twenty slots on', () => {
  expect(attentionOf({ ...well, skips: 4 }, now).kind).toBeNull();
  expect(attentionOf({ ...well, skips: 9 }, now)).toMatchObject({
    kind: 'skipping',
    text: '9 of its latest 20 slots were skipped',
  });
});

test('a failure is worse than skips, and a paused schedule skips nothing', () => {
  expect(attentionOf({ ...well, skips: 9, failures: 1 }, now).kind).toBe('failing');
  expect(attentionOf({ ...well, skips: 9, isPaused: true }, now).kind).toBe('paused');
});

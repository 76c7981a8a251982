import { expect, test } from 'vitest';
import { canDo, readVerb, verbText } from './palette-verbs.ts';

test('a verb before a name is what to do with it', () => {
  expect(readVerb('pause night')).toEqual({ verb: 'pause', find: 'night' });
  expect(readVerb('Resume  night-01')).toEqual({ verb: 'resume', find: 'night-01' });
  expect(readVerb('edit tag:billing x')).toEqual({ verb: 'edit', find: 'tag:billing x' });
  expect(readVerb('backfill night')).toEqual({ verb: 'backfill', find: 'night' });
  expect(readVerb('pause')).toBeUndefined();
  expect(readVerb('pause-mails 03:30')).toBeUndefined();
});

test('only what can be done is offered', () => {
  expect(canDo('pause', 'paused')).toBe(false);
  expect(canDo('resume', 'running')).toBe(false);
  expect(canDo('resume', 'paused')).toBe(true);
  expect(canDo('trigger', 'paused')).toBe(true);
  expect(verbText('pause', 'night-01')).toBe('Pause night-01…');
  expect(verbText('edit', 'night-01')).toBe('Edit night-01');
});

import { describe, expect, test } from 'vitest';
import type { Given, Question } from './question.ts';
import { commandOf, perform, wordsOf } from './question.ts';

const nothing: Given = { note: '' };

describe('what is asked of a workflow', () => {
  test.each<[Question, Given, string, string]>([
    [
      { verb: 'pause' },
      { note: 'on strike' },
      'Pause orders',
      `carillon host pause orders --note 'on strike'`,
    ],
    [{ verb: 'release' }, nothing, 'Release orders', 'carillon host release orders'],
    [
      { verb: 'trigger', handler: { producer: 'look' } },
      nothing,
      'Trigger look of orders',
      'carillon host trigger orders look',
    ],
    [
      { verb: 'trigger', handler: { consumer: 'book' }, isAsleep: true },
      nothing,
      'Wake book of orders',
      'carillon host trigger orders book',
    ],
    [
      { verb: 'skipEvent', topic: 'placed', event: 'order 7' },
      nothing,
      'Skip order 7 of placed',
      `carillon host skip orders placed 'order 7'`,
    ],
    [
      { verb: 'resolve', action: 'happened' },
      { note: '', result: { booking: 7 } },
      'It happened: orders',
      `carillon host resolve orders happened --result '{"booking":7}'`,
    ],
  ])('%j has its words and its command', (question, given, title, command) => {
    expect(wordsOf(question, 'orders').title).toBe(title);
    expect(commandOf(question, 'orders', given)).toBe(command);
  });

  test('an event that was taken meanwhile is not said to be skipped', async () => {
    const hosts = { skip: async () => ({ outcome: 'tooLate' }) };
    const api = { hosts } as unknown as Parameters<typeof perform>[0];
    const asked = { verb: 'skipEvent', topic: 'placed', event: 'order-7' } as const;
    await expect(perform(api, 'orders', asked, nothing)).rejects.toThrow('Its run has begun its change');
  });
});

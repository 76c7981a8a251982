import { describe, expect, test, vi } from 'vitest';
import { Listeners } from './listeners.ts';

describe('listeners', () => {
  test('a listener that throws is reported, and the others are still called', () => {
    const failures: unknown[] = [];
    const listeners = new Listeners<(word: string) => void>((error) => failures.push(error));
    const heard: string[] = [];
    listeners.add((word) => heard.push(`a ${word}`));
    listeners.add(() => {
      throw new Error('broken');
    });
    listeners.add((word) => heard.push(`b ${word}`));
    listeners.each((listener) => listener('one'));
    listeners.each((listener) => listener('two'));
    expect(heard).toEqual(['a one', 'b one', 'a two', 'b two']);
    expect(failures).toEqual([new Error('broken'), new Error('broken')]);
  });

  test('an asynchronous listener that rejects is reported, and causes no other rejection', async () => {
    const failures: unknown[] = [];
    const listeners = new Listeners<() => void>((error) => failures.push(error));
    let heard = 0;
    listeners.add(async () => {
      await undefined;
      throw new Error('broken');
    });
    listeners.add(async () => {
      heard += 1;
    });
    listeners.each((listener) => listener());
    await vi.waitFor(() => expect(failures).toEqual([new Error('broken')]));
    expect(heard).toBe(1);
  });

  test('a listener that unsubscribed is not called again', () => {
    const listeners = new Listeners<() => void>(() => {});
    let heard = 0;
    const unsubscribe = listeners.add(() => {
      heard += 1;
      unsubscribe();
    });
    listeners.each((listener) => listener());
    listeners.each((listener) => listener());
    expect(heard).toBe(1);
    expect(listeners.size).toBe(0);
  });
});

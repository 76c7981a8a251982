/** Counts how many times are looked for in a compiled spec, until the test ends. */
import { onTestFinished, vi } from 'vitest';
import type { CompiledSpec } from '../../packages/carillon/src/spec/index.ts';

export function countWalk(compiled: CompiledSpec): () => number {
  let steps = 0;
  const walk = compiled.walk.bind(compiled);
  const spy = vi.spyOn(compiled, 'walk');
  // Equal specs share one compiled object, also between tests.
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation((...question) => {
    const { next } = walk(...question);
    return {
      next: (budget) => {
        steps += 1;
        return next(budget);
      },
    };
  });
  return () => steps;
}

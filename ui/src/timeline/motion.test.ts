import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Motion } from './motion.ts';
import type { View } from './view.ts';

let frames: (() => void)[] = [];
const nextFrame = () => {
  for (const frame of frames.splice(0)) frame();
};

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => frames.splice(handle - 1, 1));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function moving(needsMore: (view: View) => boolean = () => false) {
  const shown: View[] = [];
  const drawn: View[] = [];
  const motion = new Motion();
  motion.rendered({ from: 0, to: 10 }, (view) => shown.push(view), needsMore);
  motion.onFrame(() => drawn.push(motion.view));
  return { motion, shown, drawn };
}

describe('a moving view', () => {
  it('is drawn once per frame and shown to the page when it rests', () => {
    const { motion, shown, drawn } = moving();
    for (const from of [1, 2, 3]) motion.move({ from, to: 10 });
    nextFrame();
    expect(drawn).toEqual([{ from: 3, to: 10 }]);
    expect(shown).toEqual([]);
    vi.runAllTimers();
    expect(shown).toEqual([{ from: 3, to: 10 }]);
    expect(motion.isMoving).toBe(false);
  });

  it('is shown at once when it leaves what is loaded, and goes on moving', () => {
    const { motion, shown } = moving(({ to }) => to > 20);
    motion.move({ from: 5, to: 25 });
    nextFrame();
    expect(shown).toEqual([{ from: 5, to: 25 }]);
    expect(motion.isMoving).toBe(true);
  });

  it('keeps its place when the page renders an older view meanwhile', () => {
    const { motion } = moving();
    motion.move({ from: 5, to: 15 });
    motion.rendered({ from: 0, to: 10 }, vi.fn(), () => false);
    expect(motion.view).toEqual({ from: 5, to: 15 });
  });

  it('that is stopped draws and shows nothing more', () => {
    const { motion, shown, drawn } = moving();
    motion.move({ from: 5, to: 15 });
    motion.stop();
    nextFrame();
    vi.runAllTimers();
    expect([...shown, ...drawn]).toEqual([]);
  });
});

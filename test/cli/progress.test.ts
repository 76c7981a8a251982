import { describe, expect, test } from 'vitest';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { barText, Progress } from '../../packages/carillon/src/cli/progress.ts';

const begin = instant(0);

function stage(columns?: number) {
  let now = begin;
  let text = '';
  const context = {
    now,
    clock: { now: () => now, wakeAt: () => () => {} },
    stdout: { write: () => {} },
    stderr: { write: (more: string) => (text += more) },
    colors: { stdout: false, stderr: false },
    ...(columns === undefined ? {} : { columns }),
  };
  return {
    context,
    text: () => text,
    pass: (ms: number) => {
      now = addTime(now, ms);
    },
  };
}

describe('progress', () => {
  test('is a bar on a terminal, redrawn in place and taken away at the end', () => {
    const { context, text, pass } = stage(80);
    const progress = new Progress(context, { label: 'verifying', total: 4, isSilent: false });
    pass(200);
    progress.at(1, 'a');
    pass(10);
    progress.at(2, 'too soon to be drawn');
    pass(200);
    progress.at(3, 'c');
    progress.end();
    expect(text()).toBe(
      '\r\u001b[2Kverifying ██████░░░░░░░░░░░░░░░░░░  25 %  1 of 4  a' +
        '\r\u001b[2Kverifying ██████████████████░░░░░░  75 %  3 of 4  c' +
        '\r\u001b[2K',
    );
  });

  test('is a line every few seconds elsewhere, and none when it is quick', () => {
    const { context, text, pass } = stage();
    const progress = new Progress(context, { label: 'applying', total: 100, isSilent: false });
    progress.at(1);
    pass(4000);
    progress.at(40);
    expect(text()).toBe('');
    pass(2000);
    progress.at(60, 'x');
    pass(1000);
    progress.at(70);
    progress.end();
    expect(text()).toBe('applying: 60 of 100, x\n');
  });

  test('is nothing for machines', () => {
    const { context, text, pass } = stage(80);
    const progress = new Progress(context, { label: 'x', total: 1, isSilent: true });
    pass(10_000);
    progress.at(1);
    progress.end();
    expect(text()).toBe('');
  });

  test('knows how long it will take, and where the line ends', () => {
    const bar = { label: 'x', done: 25, total: 100, detail: 'a long detail\u001b[2J', elapsedMs: 10_000 };
    expect(barText(bar, 100)).toContain('25 of 100, 30 s left  a long detail [2J');
    expect(barText(bar, 40)).toHaveLength(39);
    expect(barText({ ...bar, total: undefined }, 100)).toBe('x  25  a long detail [2J');
  });
});

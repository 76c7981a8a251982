/** Temporal's intervals at the edges of what a protobuf duration can say. */
import { describe, expect, test } from 'vitest';
import { canonicalizeTemporalSpec } from '../../packages/carillon/src/spec/index.ts';

const read = (interval: string, phase?: string) =>
  canonicalizeTemporalSpec({ interval: [{ interval, ...(phase === undefined ? {} : { phase }) }] });

const messages = (interval: string, phase?: string) => {
  const spec = read(interval, phase);
  return spec.ok ? [] : spec.problems.map(({ message }) => message);
};

describe('interval durations', () => {
  test.each([['1s'], ['1.999999999s'], ['315576000000s']])('%s is accepted', (interval) => {
    expect(messages(interval)).toEqual([]);
  });

  test.each([
    ['315576000001s', undefined, 'interval is not a valid duration'],
    ['-315576000001s', undefined, 'interval is not a valid duration'],
    ['1.0000000000s', undefined, 'interval is not a valid duration'],
    ['one hour', undefined, 'interval is not a valid duration'],
    ['', undefined, 'interval is not a valid duration'],
    ['10s', '315576000001s', 'phase is not a valid duration'],
    ['10s', 'x', 'phase is not a valid duration'],
    ['0s', undefined, 'interval is too small'],
    ['0.999999999s', undefined, 'interval is too small'],
    ['-1s', undefined, 'interval is too small'],
    ['10s', '-1s', 'phase is negative'],
    ['10s', '10s', 'phase cannot be greater than Interval'],
    ['10s', '10.5s', 'phase cannot be greater than Interval'],
  ])('%s with phase %s is refused: %s', (interval, phase, message) => {
    expect(messages(interval, phase).join()).toContain(message);
  });
});

import { expect, test } from 'vitest';
import { expositionText } from './exposition.ts';
import { by, counter, gauge, histogram } from './family.ts';
import { Histogram } from './histogram.ts';

test('buckets count what is below them', () => {
  const values = new Histogram([1, 2]);
  for (const value of [0, 1, 1.5, 9]) values.observe(value);
  expect(values.buckets().map(({ count }) => count)).toEqual([2, 3, 4]);
  expect([values.count, values.sum]).toEqual([4, 11.5]);
});

test('is the text that Prometheus reads', () => {
  const seconds = new Histogram([0.5, 1]);
  for (const value of [0.2, 0.7, 3]) seconds.observe(value);
  const text = expositionText([
    counter('a_total', 'Counts a', 3),
    gauge('b', 'A level', by('state', [['on', 1.5]])),
    histogram('c_seconds', 'Times', [[{ id: 'x' }, seconds]]),
    gauge('d', 'Nothing yet', []),
  ]);
  expect(text.split('\n')).toEqual([
    '# HELP a_total Counts a',
    '# TYPE a_total counter',
    'a_total 3',
    '# HELP b A level',
    '# TYPE b gauge',
    'b{state="on"} 1.5',
    '# HELP c_seconds Times',
    '# TYPE c_seconds histogram',
    'c_seconds_bucket{id="x",le="0.5"} 1',
    'c_seconds_bucket{id="x",le="1"} 2',
    'c_seconds_bucket{id="x",le="+Inf"} 3',
    'c_seconds_sum{id="x"} 3.9',
    'c_seconds_count{id="x"} 3',
    '# HELP d Nothing yet',
    '# TYPE d gauge',
    '',
  ]);
});

test('what would end a label or a line is escaped', () => {
  const text = expositionText([gauge('a', 'two\nlines \\', [{ labels: { id: 'say "a\\b"\n' }, value: 1 }])]);
  expect(text).toBe('# HELP a two\\nlines \\\\\n# TYPE a gauge\na{id="say \\"a\\\\b\\"\\n"} 1\n');
});

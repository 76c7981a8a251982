/** One metric with its series, as plain data. */
import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** The suffix of a histogram's part: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** A single number, or samples with their labels. */
type Series = number | readonly Sample[];

export function counter(name: string, help: string, series: Series): Family {
  return { name, help, type: 'counter', samples: samplesOf(series) };
}

export function gauge(name: string, help: string, series: Series): Family {
  return { name, help, type: 'gauge', samples: samplesOf(series) };
}

export function histogram(
  name: string,
  help: string,
  series: readonly (readonly [labels: Labels, values: Histogram])[],
): Family {
  const samples = series.flatMap(([labels, each]) => [
    ...each.buckets().map(({ le, count }) => ({
      suffix: '_bucket',
      labels: { ...labels, le: le === Number.POSITIVE_INFINITY ? '+Inf' : le },
      value: count,
    })),
    { suffix: '_sum', labels, value: each.sum },
    { suffix: '_count', labels, value: each.count },
  ]);
  return { name, help, type: 'histogram', samples };
}

/** One sample per entry, distinguished by one label. */
export function by<K extends string | number>(
  label: string,
  entries: Iterable<readonly [K, number]>,
): readonly Sample[] {
  return [...entries].map(([key, value]) => ({ labels: { [label]: key }, value }));
}

/** The samples of a histogram per entry, distinguished by labels. */
export function each(
  label: string,
  entries: Iterable<readonly [string, Histogram]>,
): readonly (readonly [Labels, Histogram])[] {
  return [...entries].map(([key, values]) => [{ [label]: key }, values]);
}

function samplesOf(series: Series): readonly Sample[] {
  return typeof series === 'number' ? [{ labels: {}, value: series }] : series;
}

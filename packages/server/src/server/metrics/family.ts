/** One metric with its series, in the form the registry of prom-client reads. */
import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Value[];
}

/** `series`: a number alone, or one number for each value of a label, or any series with their labels. */
type Series = number | readonly Value[];

export function counter(name: string, help: string, series: Series): Family {
  return { name, help, type: 'counter', values: valuesOf(series) };
}

export function gauge(name: string, help: string, series: Series): Family {
  return { name, help, type: 'gauge', values: valuesOf(series) };
}

export function histogram(
  name: string,
  help: string,
  series: readonly (readonly [labels: Labels, values: Histogram])[],
): Family {
  const values = series.flatMap(([labels, each]) => [
    ...each.buckets().map(({ le, count }) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: le === Number.POSITIVE_INFINITY ? '+Inf' : le },
      value: count,
    })),
    { metricName: `${name}_sum`, labels, value: each.sum },
    { metricName: `${name}_count`, labels, value: each.count },
  ]);
  return { name, help, type: 'histogram', values };
}

/** A series for each entry, told apart by one label. */
export function by<K extends string | number>(
  label: string,
  entries: Iterable<readonly [K, number]>,
): readonly Value[] {
  return [...entries].map(([key, value]) => ({ labels: { [label]: key }, value }));
}

/** The same for histograms. */
export function each(
  label: string,
  entries: Iterable<readonly [string, Histogram]>,
): readonly (readonly [Labels, Histogram])[] {
  return [...entries].map(([key, values]) => [{ [label]: key }, values]);
}

function valuesOf(series: Series): readonly Value[] {
  return typeof series === 'number' ? [{ labels: {}, value: series }] : series;
}

/** Reads metrics as a Prometheus server would, and reports what it would refuse or what would mislead people. */

export interface Scrape {
  /** By name and labels as they were written. */
  readonly values: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
  /** Everything that is wrong with it. */
  readonly problems: readonly string[];
}

const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^}]*\})? ([-+]?(?:[\d.]+(?:e[-+]?\d+)?|Inf)|nan)$/i;

export function readScrape(text: string): Scrape {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const problems: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (rest === '') problems.push(`${name} has no help`);
      helped.add(name);
    } else if (kind === 'TYPE') {
      if (types.has(name)) problems.push(`${name} is declared twice`);
      types.set(name, rest);
    } else {
      const match = sample.exec(line);
      if (match === null) {
        problems.push(`not a sample: ${line}`);
        continue;
      }
      const series = `${match[1]}${match[2] ?? ''}`;
      if (values.has(series)) problems.push(`${series} is there twice`);
      values.set(series, Number(match[3]));
      const family = familyOf(match[1] as string, types);
      if (family === undefined) problems.push(`${match[1]} has no type`);
      else if (!helped.has(family)) problems.push(`${family} has no help`);
    }
  }
  for (const [name, type] of types) {
    // Named by the library that measures the process.
    if (name.startsWith('nodejs_')) continue;
    if (type === 'counter' && !name.endsWith('_total'))
      problems.push(`counter ${name} does not end in _total`);
    if (type === 'gauge' && name.endsWith('_total')) problems.push(`gauge ${name} ends in _total`);
    if (type === 'histogram') problems.push(...histogramProblems(name, values));
  }
  return { values, types, problems };
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string | undefined {
  if (types.has(name)) return name;
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return types.has(base) ? base : undefined;
}

/** Buckets grow with their bounds, and the last one is the count. */
function histogramProblems(name: string, values: ReadonlyMap<string, number>): readonly string[] {
  const buckets = new Map<string, { readonly le: number; readonly count: number }[]>();
  for (const [series, count] of values) {
    if (!series.startsWith(`${name}_bucket{`)) continue;
    const le = /le="([^"]+)"/.exec(series)?.[1] ?? '';
    const rest = series
      .slice(name.length + '_bucket'.length)
      .replace(/,?le="[^"]+"/, '')
      .replace('{}', '');
    const entry = { le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count };
    buckets.set(rest, [...(buckets.get(rest) ?? []), entry]);
  }
  return [...buckets].flatMap(([labels, entries]) => {
    const inOrder = [...entries].sort((a, b) => a.le - b.le);
    const grows = inOrder.every(({ count }, index) => count >= (inOrder[index - 1]?.count ?? 0));
    const last = inOrder.at(-1);
    const total = values.get(`${name}_count${labels}`);
    const isWhole = last?.le === Number.POSITIVE_INFINITY && last.count === total;
    return grows && isWhole ? [] : [`${name}${labels} is no histogram`];
  });
}

/** 450 random cron texts in 31 zones, many around changes of the clock, against brute-force answers. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { compileSpec } from '../../packages/carillon/src/spec/compile.ts';
import type { CalendarText, Dialect } from '../../packages/carillon/src/spec/model.ts';
import { base64, tzifBytes } from './tzif-bytes.ts';
import { at, readVectors } from './vectors.ts';

interface CronCase {
  readonly name: string;
  readonly dialect: Dialect;
  readonly cron: string;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  readonly expect: readonly number[];
  readonly excludeCalendar?: CalendarText | readonly CalendarText[];
}

/**
 * The answers were computed with IANA 2025b. Since then Chisinau's clock changes were found to follow the EU's
 * hour; with the rule of 2025b the answers hold.
 */
const olderRules: Readonly<Record<string, string>> = {
  'Europe/Chisinau': base64(tzifBytes({ initialOffset: 7200, footer: 'EET-2EEST,M3.5.0,M10.5.0/3' })),
};

describe.each(['cron-temporal', 'cron-spring', 'cron-unix'])('%s', (file) => {
  const { cases } = readVectors<{ cases: CronCase[] }>(file);
  it('has 150 cases', () => expect(cases).toHaveLength(150));
  it.each(cases.map((c) => [`${c.name} ${c.cron} ${c.timezone}`, c] as const))('%s', (_, c) => {
    const exclude = c.excludeCalendar === undefined ? [] : [c.excludeCalendar].flat();
    const zoneData = olderRules[c.timezone];
    const compiled = compileSpec({
      cron: [{ text: c.cron, dialect: c.dialect }],
      zone: c.timezone,
      ...(zoneData === undefined ? {} : { zoneData }),
      dst: { gap: 'skip', fold: 'both' },
      exclude: { calendars: exclude as CalendarText[] },
    });
    const window = { from: at(c.start), to: at(c.end) };
    const { times } = compiled.between(window, 1000);
    expect(times.map((time) => time.nominal / 1000)).toEqual(c.expect);
    // Backwards from the end of what was found, the same times in reverse.
    const back: number[] = [];
    let before = instant(((c.expect.at(-1) ?? 0) + 1) * 1000);
    while (back.length < Math.min(50, c.expect.length)) {
      const found = compiled.previous(before);
      if (found === undefined) break;
      back.push(found.nominal / 1000);
      before = found.nominal;
    }
    expect(back).toEqual(c.expect.slice(-back.length).reverse().slice(0, back.length));
    if (c.expect.length > 0) expect(back.length).toBe(Math.min(50, c.expect.length));
    for (const second of c.expect.slice(0, 20)) expect(compiled.matches(instant(second * 1000))).toBe(true);
  });
});

/** Whether JSON has the shape of a spec, so that the form can show it. What it means is checked by the library. Pure. */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Math.abs(value) <= 8.64e15;
const withText = (value: unknown) => isFields(value) && isText(value.text);

interface Shape {
  readonly fits: (value: unknown) => boolean;
  readonly say: string;
}

const listOf = (fits: (value: unknown) => boolean, say: string): Shape => ({
  fits: (value) => Array.isArray(value) && value.every(fits),
  say,
});

const excluding: Readonly<Record<string, Shape>> = {
  cron: listOf(withText, 'a list such as [{ "text": "0 9 * * *" }]'),
  calendars: listOf(isFields, 'a list such as [{ "hour": "9", "dayOfWeek": "mon-fri" }]'),
  structuredCalendars: listOf(isFields, 'a list such as [{ "hour": [{ "start": 9 }] }]'),
  dates: listOf(isText, 'a list of days such as ["2026-12-25"]'),
};

const moment: Shape = { fits: isNumber, say: 'a number of milliseconds since 1970' };
const text: Shape = { fits: isText, say: 'a text' };

const fields: Readonly<Record<string, Shape>> = {
  ...excluding,
  intervals: listOf(
    (value) => isFields(value) && isNumber(value.everyMs),
    'a list such as [{ "everyMs": 3600000 }]',
  ),
  rrules: listOf(withText, 'a list such as [{ "text": "FREQ=DAILY;BYHOUR=9" }]'),
  times: listOf(isNumber, 'a list of milliseconds since 1970'),
  startAt: moment,
  endAt: moment,
  jitterMs: { fits: isNumber, say: 'a number of milliseconds' },
  zone: text,
  zoneData: text,
  dst: { fits: isFields, say: 'an object such as { "gap": "skip" }' },
  exclude: { fits: isFields, say: 'an object such as { "dates": ["2026-12-25"] }' },
};

/** What is wrong with the shape, and what to write; undefined when the form can show it. */
export function shapeProblem(spec: unknown): string | undefined {
  if (spec === undefined) return undefined;
  if (!isFields(spec)) return 'spec is an object, such as { "cron": [{ "text": "0 9 * * *" }] }.';
  return misshapen(spec, fields, 'spec') ?? misshapen(spec.exclude ?? {}, excluding, 'spec.exclude');
}

function misshapen(of: unknown, shapes: Readonly<Record<string, Shape>>, path: string): string | undefined {
  const wrong = Object.entries(shapes).find(([name, { fits }]) => {
    const value = (of as Fields)[name];
    return value !== undefined && !fits(value);
  });
  return wrong === undefined ? undefined : `${path}.${wrong[0]} is ${wrong[1].say}.`;
}

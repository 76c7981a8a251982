import { expect, test } from 'vitest';
import { readDefinition } from './read-field.ts';

test.each([
  [{ spec: { cron: 'x' } }, 'spec.cron is a list such as [{ "text": "0 9 * * *" }].'],
  [{ spec: { cron: [null] } }, 'spec.cron is a list such as [{ "text": "0 9 * * *" }].'],
  [{ spec: 5 }, 'spec is an object, such as { "cron": [{ "text": "0 9 * * *" }] }.'],
  [{ spec: { times: ['q'] } }, 'spec.times is a list of milliseconds since 1970.'],
  [{ spec: { times: [1e300] } }, 'spec.times is a list of milliseconds since 1970.'],
  [{ spec: { startAt: 'now' } }, 'spec.startAt is a number of milliseconds since 1970.'],
  [
    { spec: { exclude: { calendars: {} } } },
    'spec.exclude.calendars is a list such as [{ "hour": "9", "dayOfWeek": "mon-fri" }].',
  ],
  [{ spec: { zone: 7 } }, 'spec.zone is a text.'],
])('the code %j says what to write', (definition, problem) => {
  expect(readDefinition(JSON.stringify(definition), undefined)).toEqual({ problem });
});

test('a definition that the form can show is taken, also when it is refused later', () => {
  const draft = { spec: { cron: [{ text: 'nonsense' }], exclude: { dates: ['x'] } }, run: 'a' };
  expect(readDefinition(JSON.stringify(draft), undefined)).toEqual({ draft });
});

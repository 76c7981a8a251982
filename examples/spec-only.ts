/** The spec library by itself: pure functions of data and time, no clock, no store. Also runs in a browser. */
import type { Instant, ScheduleSpec } from 'carillon/spec';
import { compileSpec, describeSpec, validateSpec } from 'carillon/spec';

const spec: ScheduleSpec = {
  cron: [{ text: '0 9 * * mon-fri' }],
  zone: 'Europe/Berlin',
  exclude: { dates: ['2026-04-03', '2026-04-06'] },
};
console.log(describeSpec(spec));

const compiled = compileSpec(spec);
const maundyThursday = Date.parse('2026-04-02T12:00:00Z') as Instant;
console.log(`next:     ${show(compiled.next(maundyThursday)?.nominal)}`);
console.log(`previous: ${show(compiled.previous(maundyThursday)?.nominal)}`);

// After `from`, up to and including `to`; at most ten.
const march = {
  from: Date.parse('2026-03-26T00:00:00Z') as Instant,
  to: Date.parse('2026-04-01T00:00:00Z') as Instant,
};
const { times, truncated } = compiled.between(march, 10);
console.log(`between:  ${times.map(({ nominal }) => show(nominal)).join(', ')}${truncated ? ', …' : ''}`);
console.log(`matches:  ${compiled.matches(Date.parse('2026-04-07T07:00:00Z') as Instant)}`);

console.log('other ways to say when:');
const ways: readonly ScheduleSpec[] = [
  { intervals: [{ everyMs: 15 * 60_000, phaseMs: 5 * 60_000 }] },
  { cron: [{ text: '0 0 12 L * ?', dialect: 'spring' }] },
  { cron: [{ text: '0 18 * * 5#2' }], zone: 'Asia/Kolkata' },
  { rrules: [{ text: 'DTSTART:20260105T080000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO' }] },
  { calendars: [{ hour: '9-17/2', dayOfWeek: 'mon-fri', comment: 'office hours' }] },
];
for (const way of ways) {
  const next = compileSpec(way).next(maundyThursday)?.nominal;
  console.log(`  ${describeSpec(way)}: next ${show(next)}`);
}

console.log('what is wrong with this one?');
const checked = validateSpec({ cron: [{ text: '61 9 * * mon-fry' }], zone: 'Europe/Berln' });
if (!checked.ok) {
  for (const { path, message, fix } of checked.problems) console.log(`  ${path}: ${message}; ${fix}`);
}

function show(at: Instant | undefined): string {
  return at === undefined ? 'never' : new Date(at).toISOString().replace(':00.000Z', 'Z');
}

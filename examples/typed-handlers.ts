/** The input of a handler is typed where it is written; `satisfies` holds whoever schedules it to that type. */
import type { HandlerRef, RunContext, TypedSchedule } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

interface Report {
  readonly customer: string;
  readonly pages: number;
}

/** A handler is a plain function of its context: easy to test without any scheduler. */
function makeReport({ input, scheduledAt }: RunContext<Report>): { readonly file: string } {
  const day = new Date(scheduledAt).toISOString().slice(0, 10);
  console.log(`${input.pages} pages for ${input.customer.toUpperCase()} on ${day}`);
  return { file: `${input.customer}-${day}.pdf` };
}

let report: HandlerRef<Report> = { name: 'report' };
await using world = await CarillonWorld.start({
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    report = carillon.handle('report', makeReport);
  },
});
const { schedules } = world.carillon();

const weekly = {
  cron: '0 6 * * mon',
  run: report,
  input: { customer: 'acme', pages: 12 },
} satisfies TypedSchedule<Report>;
await schedules.create('weekly', weekly);

// @ts-expect-error: pages is a number; the compiler refuses this line.
const wrong = { ...weekly, input: { customer: 'acme', pages: 'twelve' } } satisfies TypedSchedule<Report>;
console.log(`refused by the compiler: ${JSON.stringify(wrong.input)}`);

await world.advance('7d');
console.log(`result: ${JSON.stringify((await schedules.describe('weekly')).lastResult)}`);

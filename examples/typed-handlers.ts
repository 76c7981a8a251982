/** The input of a handler is typed where it is written, and schedules of the handler must match that type. */
import type { HandlerRef, RunContext } from 'carillon';
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

let report: HandlerRef<Report> = { name: 'report', queue: 'default' };
await using world = await CarillonWorld.start({
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    report = carillon.handle('report', makeReport);
  },
});
const { schedules } = world.carillon();

await schedules.create('weekly', {
  cron: '0 6 * * mon',
  run: report,
  input: { customer: 'acme', pages: 12 },
});

const wrong = { every: 'often', run: report, input: { customer: 'acme', pages: 'twelve' } };
try {
  // @ts-expect-error: pages is a number, so this line does not compile; what is wrong besides shows when it runs.
  await schedules.create('wrong', wrong);
} catch (error) {
  console.log(`refused: ${(error as Error).message}`);
}

await world.advance('7d');
console.log(`result: ${JSON.stringify((await schedules.describe('weekly')).lastResult)}`);

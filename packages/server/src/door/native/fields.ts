/** Schemas of the fields that many operations share. */

import type { Instant } from 'carillon/internal/base';
import { instant, parseInstant } from 'carillon/internal/base';
import { largestPage, runOrders, runOutcomes, scheduleInput } from 'carillon/internal/service';
import { z } from 'zod';

const timeError = 'not a time; write RFC 3339 with an offset, e.g. 2026-03-01T09:00:00Z';

/** The latest time that `Date` can represent; a later time could not be shown. */
const furthest = 8_640_000_000_000_000;

/** In a query a plus sign means a space, so the plus of a typed offset arrives as a space. */
function timeOfText(text: string): Instant | undefined {
  if (/^\d{1,15}$/.test(text)) return instant(Number(text));
  return parseInstant(text.replace(/ (\d{2}:?\d{2})$/, '+$1'));
}

export const timeText = z
  .string()
  .transform((text, context) => {
    const at = timeOfText(text);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: timeError });
    return z.NEVER;
  })
  .meta({
    description: 'RFC 3339 with an offset, or milliseconds since 1970',
    examples: ['2026-03-01T09:00:00Z'],
  });

/** A time in a body, where it may be a number. */
export const timeField = z
  .union([z.string(), z.number().min(-furthest).max(furthest)])
  .transform((given, context) => {
    const at = typeof given === 'number' ? instant(given) : timeOfText(given);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: timeError });
    return z.NEVER;
  })
  .meta({
    description: 'RFC 3339 with an offset, or milliseconds since 1970',
    examples: ['2026-03-01T09:00:00Z'],
  });

export const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

export const pageFields = {
  after: z.string().max(4096).optional().meta({ description: 'cursor of the previous page: its `next`' }),
  limit: z.coerce.number().int().min(1).max(largestPage).default(100),
};

/** Names the fields that lists leave out by default. */
export const includeField = z
  .enum(['payloads'])
  .optional()
  .meta({ description: 'payloads: inputs, progress and results too' });

export const noteField = z.string().max(1000).optional().meta({ description: 'why; kept in the audit' });

export const overlapField = scheduleInput.shape.overlap;
export const missedField = scheduleInput.shape.missed;

/** Accepts one value or several: `?tag=a&tag=b`. */
export function severalOf<T extends z.ZodType>(item: T) {
  return z
    .union([item, z.array(item)])
    .transform((given) => (Array.isArray(given) ? given : [given]) as readonly z.output<T>[]);
}

const word = z.string().min(1).max(1000);

/** The query of a list of runs, of one schedule or of all. */
export const runsQuery = z.strictObject({
  state: severalOf(z.enum(['waiting', 'leased', 'done'])).optional(),
  outcome: severalOf(z.enum(runOutcomes)).optional(),
  queue: word.optional(),
  name: word.optional(),
  againOf: word.optional().meta({ description: 'only runs that repeat this one' }),
  by: z
    .enum(runOrders)
    .default('start')
    .meta({ description: 'the order, newest first: by the time of the slot, or by that of the start' }),
  include: includeField,
  ...pageFields,
});

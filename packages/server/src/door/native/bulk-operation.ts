/** The operation that applies one verb to many schedules. */

import { given } from 'carillon/internal/base';
import { bulkChange, bulkVerbs, mostBulkIds } from 'carillon/internal/service';
import { z } from 'zod';
import { missedField, noteField, timeField } from './fields.ts';
import { bulkEffects } from './insight-schemas.ts';
import type { Call, Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';

const bulkBody = z.strictObject({
  verb: z.enum(bulkVerbs),
  ids: z.array(z.string()).min(1).max(mostBulkIds),
  note: noteField,
  until: timeField.optional().meta({ description: 'of pause: when they resume by themselves' }),
  missed: missedField.meta({ description: 'of resume' }),
});

type BulkBody = z.output<typeof bulkBody>;

const item = z.strictObject({
  id: z.string(),
  ok: z.boolean(),
  isChanged: z.boolean().meta({ description: 'false when it was as asked before' }),
  reason: z.string().nullable(),
  message: z.string().nullable(),
});

export const bulkOperation: Operation = defineOperation<undefined, BulkBody>({
  id: 'bulkSchedules',
  method: 'POST',
  path: '/schedules',
  verb: 'bulk',
  summary:
    'Pause, resume, trigger or delete many schedules; the answer has the order of the ids. A paused one keeps its pause',
  role: 'operator',
  body: reader(bulkBody),
  status: 200,
  response: z.strictObject({ items: z.array(item), failed: z.int() }),
  rehearsal: {
    response: bulkEffects,
    rehearse: async (call) => await call.services.insight.bulkEffects(...requested(call)),
  },
  handle: async (call) => ({ body: await bulkChange(call.services.schedules, ...requested(call)) }),
});

function requested({ namespace, body, caller }: Call<undefined, BulkBody>) {
  const { verb, ids, note, until, missed } = body;
  const request = { verb, namespace, ids, ...given({ until, missed }) };
  return [request, { ...caller, ...given({ note }) }] as const;
}

/** One verb over many schedules. Each is a change of its own: what fails is told, and does not hold up the others. */

import type { Caller, ScheduleName, ScheduleService } from 'carillon/internal/service';
import { z } from 'zod';
import { serviceErrorOf } from '../trouble.ts';
import { missedField, noteField } from './fields.ts';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';

/** Ids of one request. */
const mostIds = 1000;

/** Under way at once: enough to share commits, too few to crowd out others. */
const atOnce = 16;

const bulkBody = z.strictObject({
  verb: z.enum(['pause', 'resume', 'trigger', 'delete']),
  ids: z.array(z.string()).min(1).max(mostIds),
  note: noteField,
  missed: missedField.meta({ description: 'of resume' }),
});

type BulkBody = z.output<typeof bulkBody>;

const item = z.strictObject({
  id: z.string(),
  ok: z.boolean(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
});

export const bulkOperation: Operation = defineOperation<undefined, BulkBody>({
  id: 'bulkSchedules',
  method: 'POST',
  path: '/schedules',
  verb: 'bulk',
  summary: 'Pause, resume, trigger or delete many schedules; the answer has the order of the ids',
  role: 'operator',
  body: reader(bulkBody),
  status: 200,
  response: z.strictObject({ items: z.array(item), failed: z.int() }),
  handle: async ({ services, namespace, body, caller }) => {
    const by = body.note === undefined ? caller : { ...caller, note: body.note };
    const items: z.output<typeof item>[] = [];
    for (let from = 0; from < body.ids.length; from += atOnce) {
      const some = body.ids.slice(from, from + atOnce);
      items.push(
        ...(await Promise.all(
          some.map(async (id) => {
            try {
              await act(services.schedules, body, { namespace, id }, by);
              return { id, ok: true, reason: null, message: null };
            } catch (error) {
              const { code, reason, message } = serviceErrorOf(error);
              // A fault of ours is no answer about one schedule.
              if (code === 'internal' || code === 'unavailable') throw error;
              return { id, ok: false, reason, message };
            }
          }),
        )),
      );
    }
    return { body: { items, failed: items.filter(({ ok }) => !ok).length } };
  },
});

async function act(service: ScheduleService, { verb, missed }: BulkBody, name: ScheduleName, by: Caller) {
  switch (verb) {
    case 'pause':
      return await service.pause(name, by);
    case 'resume':
      return await service.resume(name, missed === undefined ? by : { ...by, missed });
    case 'trigger':
      return await service.trigger(name, {}, by);
    case 'delete':
      return await service.delete(name, by);
  }
}

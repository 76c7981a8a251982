/** The operations that read a schedule's future times, its history and the reasons. */

import { given } from 'carillon/internal/base';
import {
  auditJson,
  explanationJson,
  historyJson,
  occurrenceJson,
  pageJson,
  runListQuery,
  runPageJson,
  slotJson,
  verdicts,
} from 'carillon/internal/service';
import { z } from 'zod';
import { pageFields, runsQuery, severalOf, timeText } from './fields.ts';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { nameOf } from './schedule-operations.ts';
import * as shape from './schemas.ts';

const nextQuery = z.strictObject({
  after: timeText.optional().meta({ description: 'default now' }),
  count: z.coerce.number().int().min(1).max(1000).default(5),
});

const whyQuery = z.strictObject({ at: timeText });

const slotsQuery = z.strictObject({
  from: timeText.optional(),
  to: timeText.optional(),
  verdict: severalOf(z.enum(verdicts)).optional(),
  cause: z.string().max(1000).optional().meta({ description: '`auto`, or that of a trigger or backfill' }),
  order: z.enum(['ascending', 'descending']).default('descending'),
  ...pageFields,
});

const pageQuery = z.strictObject(pageFields);

export const historyOperations: readonly Operation[] = [
  defineOperation<z.output<typeof nextQuery>>({
    id: 'nextTimes',
    method: 'GET',
    path: '/schedules/{id}/next',
    summary: 'Coming times',
    role: 'viewer',
    query: reader(nextQuery),
    status: 200,
    response: shape.itemsOf(shape.occurrence),
    handle: async (call) => {
      const { after = call.services.now(), count } = call.query;
      const times = await call.services.schedules.next(nameOf(call), after, count);
      return { body: { items: times.map(occurrenceJson) } };
    },
  }),
  defineOperation<z.output<typeof whyQuery>>({
    id: 'explain',
    method: 'GET',
    path: '/schedules/{id}/why',
    summary: 'Why it did, or did not, run at that time',
    role: 'viewer',
    query: reader(whyQuery),
    status: 200,
    response: shape.itemsOf(shape.explanation),
    handle: async (call) => {
      const explanations = await call.services.schedules.explain(nameOf(call), call.query.at);
      return { body: { items: explanations.map(explanationJson) } };
    },
  }),
  defineOperation({
    id: 'listVersions',
    method: 'GET',
    path: '/schedules/{id}/versions',
    summary: 'Every stored version of the spec, and the progress of the schedule: what should have happened',
    role: 'viewer',
    status: 200,
    response: shape.history,
    handle: async (call) => ({ body: historyJson(await call.services.schedules.history(nameOf(call))) }),
  }),
  defineOperation<z.output<typeof slotsQuery>>({
    id: 'listSlots',
    method: 'GET',
    path: '/schedules/{id}/slots',
    summary: 'The ledger: one verdict per slot, equal neighbours as one row; newest first',
    role: 'viewer',
    query: reader(slotsQuery),
    status: 200,
    response: shape.pageOf(shape.slot),
    handle: async (call) => {
      const { from, to, verdict, cause, order, after, limit } = call.query;
      const page = await call.services.schedules.slots(nameOf(call), {
        order,
        limit,
        ...given({ from, to }),
        ...(verdict === undefined ? {} : { verdicts: verdict }),
        ...given({ cause, after }),
      });
      return { body: pageJson(page, slotJson) };
    },
  }),
  defineOperation<z.output<typeof runsQuery>>({
    id: 'listScheduleRuns',
    method: 'GET',
    path: '/schedules/{id}/runs',
    summary: 'Its runs, newest first by start or by slot, filtered',
    role: 'viewer',
    query: reader(runsQuery),
    status: 200,
    response: shape.pageOf(shape.listedRun),
    handle: async (call) => {
      const asked = runListQuery(call.query);
      return { body: runPageJson(await call.services.schedules.runs(nameOf(call), asked), asked.include) };
    },
  }),
  defineOperation<z.output<typeof pageQuery>>({
    id: 'listAudit',
    method: 'GET',
    path: '/schedules/{id}/audit',
    summary: 'Who changed what, newest first',
    role: 'viewer',
    query: reader(pageQuery),
    status: 200,
    response: shape.pageOf(shape.audit),
    handle: async (call) => {
      const page = await call.services.schedules.audit(nameOf(call), paging(call.query));
      return { body: pageJson(page, auditJson) };
    },
  }),
];

function paging({ after, limit }: z.output<typeof pageQuery>) {
  return { limit, ...(after === undefined ? {} : { after }) };
}

/** The operations that pages read: counts, timelines, explanations as data, series, load, days and clock changes. */

import { given } from 'carillon/internal/base';
import { binNames, filteredQuery, mostTimelineItems, seriesBins } from 'carillon/internal/service';
import { findZone } from 'carillon/spec';
import { z } from 'zod';
import { timeText } from './fields.ts';
import * as shape from './insight-schemas.ts';
import { attentionField, filterFields, partFields } from './list-filter.ts';
import type { Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { nameOf } from './schedule-operations.ts';
import { itemsOf } from './schemas.ts';

const range = { from: timeText, to: timeText };
const countsQuery = z.strictObject({ ...filterFields, ...attentionField });
const timelineQuery = z.strictObject({
  ...range,
  limit: z.coerce.number().int().min(1).max(mostTimelineItems).default(500),
});
const binsQuery = z.strictObject({ ...range, bin: z.enum(binNames) });
const rangeQuery = z.strictObject(range);
const whyQuery = z.strictObject({ at: timeText });
const seriesQuery = z.strictObject({ ...range, bin: z.enum(seriesBins).default('1h') });
const zoneName = z
  .string()
  .max(255)
  .default('UTC')
  .refine((name) => findZone(name) !== undefined, 'not a time zone; write e.g. Europe/Berlin')
  .meta({ description: 'whose days and hours the bins are' });
const loadQuery = z.strictObject({
  ...range,
  bin: z.enum(binNames).default('1h'),
  zone: zoneName,
  spreadAt: timeText
    .optional()
    .meta({ description: 'counts as if the schedules that start at this moment had the jitter of spreadMs' }),
  spreadMs: z.coerce
    .number()
    .int()
    .min(1000)
    .max(3_600_000)
    .default(300_000)
    .meta({ description: 'the jitter of spreadAt' }),
  ...partFields,
});
const clockQuery = z.strictObject({ ...range, ...partFields });
const daysQuery = z.strictObject({ ...range, zone: zoneName, ...partFields });

export const insightOperations: readonly Operation[] = [
  defineOperation<z.output<typeof countsQuery>>({
    id: 'countSchedulesByState',
    method: 'GET',
    path: '/schedules',
    verb: 'counts',
    summary: 'How many schedules are in each state, and how many need a person',
    role: 'viewer',
    query: reader(countsQuery),
    status: 200,
    response: shape.scheduleCounts,
    handle: async ({ services, namespace, query: { attention, ...query } }) => ({
      body: await services.insight.counts(namespace, {
        ...filteredQuery(query, services.now()),
        ...given({ attention }),
      }),
    }),
  }),
  defineOperation({
    id: 'groupNeeds',
    method: 'GET',
    path: '/schedules',
    verb: 'needs',
    summary: 'What needs a person, grouped by what the schedules probably have in common',
    role: 'viewer',
    status: 200,
    response: shape.needs,
    handle: async ({ services, namespace }) => ({ body: await services.insight.needs(namespace) }),
  }),
  defineOperation<z.output<typeof timelineQuery>>({
    id: 'getTimeline',
    method: 'GET',
    path: '/schedules/{id}/timeline',
    summary: 'Slots of a range, past and coming, with their runs; what the spec rules out; usual durations',
    role: 'viewer',
    query: reader(timelineQuery),
    status: 200,
    response: shape.timeline,
    handle: async (call) => ({ body: await call.services.insight.timeline(nameOf(call), call.query) }),
  }),
  defineOperation<z.output<typeof binsQuery>>({
    id: 'getBins',
    method: 'GET',
    path: '/schedules/{id}/bins',
    summary: "Slots of a range counted by bins of the schedule's own days and hours",
    role: 'viewer',
    query: reader(binsQuery),
    status: 200,
    response: shape.slotBins,
    handle: async (call) => ({ body: await call.services.insight.bins(nameOf(call), call.query) }),
  }),
  defineOperation<z.output<typeof rangeQuery>>({
    id: 'getStretches',
    method: 'GET',
    path: '/schedules/{id}/stretches',
    summary: 'Pauses, edits, times without a node, clock changes and exclusions of a range',
    role: 'viewer',
    query: reader(rangeQuery),
    status: 200,
    response: shape.stretches,
    handle: async (call) => ({ body: await call.services.insight.stretches(nameOf(call), call.query) }),
  }),
  defineOperation({
    id: 'getStrip',
    method: 'GET',
    path: '/schedules/{id}/strip',
    summary: 'The last 20 slots with their durations',
    role: 'viewer',
    status: 200,
    response: shape.strip,
    handle: async (call) => ({ body: await call.services.insight.strip(nameOf(call)) }),
  }),
  defineOperation<z.output<typeof whyQuery>>({
    id: 'explainAsData',
    method: 'GET',
    path: '/schedules/{id}/explanation',
    summary: 'Why, as data: the chain of causes, what other settings would have made of it, what was seen',
    role: 'viewer',
    query: reader(whyQuery),
    status: 200,
    response: itemsOf(shape.fullExplanation),
    handle: async (call) => ({
      body: { items: await call.services.insight.explain(nameOf(call), call.query.at) },
    }),
  }),
  defineOperation<z.output<typeof seriesQuery>>({
    id: 'getSeries',
    method: 'GET',
    path: '/series',
    summary: 'Verdicts, lateness and results of the whole namespace over time',
    role: 'viewer',
    query: reader(seriesQuery),
    status: 200,
    response: shape.series,
    handle: async ({ services, namespace, query }) => ({
      body: await services.insight.series({ namespace, ...query }),
    }),
  }),
  defineOperation<z.output<typeof loadQuery>>({
    id: 'getLoad',
    method: 'GET',
    path: '/load',
    summary: 'How many starts the coming time brings, over all schedules; the worst moments',
    role: 'viewer',
    query: reader(loadQuery),
    status: 200,
    response: shape.load,
    handle: async ({ services, namespace, query: { from, to, bin, zone, spreadAt, spreadMs, ...part } }) => ({
      body: await services.insight.load({
        namespace,
        ...{ from, to, bin, zone },
        ...(spreadAt === undefined ? {} : { spread: { at: spreadAt, jitterMs: spreadMs } }),
        ...given({ filter: filteredQuery(part, services.now()).filter }),
      }),
    }),
  }),
  defineOperation<z.output<typeof daysQuery>>({
    id: 'getDays',
    method: 'GET',
    path: '/days',
    summary: 'Which days exclusions and pauses keep schedules from running, and how many',
    role: 'viewer',
    query: reader(daysQuery),
    status: 200,
    response: shape.days,
    handle: async ({ services, namespace, query: { from, to, zone, ...part } }) => ({
      body: await services.insight.days({
        namespace,
        ...{ from, to, zone },
        ...given({ filter: filteredQuery(part, services.now()).filter }),
      }),
    }),
  }),
  defineOperation<z.output<typeof clockQuery>>({
    id: 'getClockChanges',
    method: 'GET',
    path: '/clock-changes',
    summary: 'Clock changes of all zones in use, and what each schedule does then',
    role: 'viewer',
    query: reader(clockQuery),
    status: 200,
    response: shape.clockChanges,
    handle: async ({ services, namespace, query: { from, to, ...part } }) => ({
      body: await services.insight.clockChanges({
        namespace,
        ...{ from, to },
        ...given({ filter: filteredQuery(part, services.now()).filter }),
      }),
    }),
  }),
];

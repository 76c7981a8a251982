/** The operations that show and control workflows on hosts. */

import { given, ServiceError } from 'carillon/internal/base';
import {
  eventStates,
  hostEventJson,
  hostExplanationJson,
  hostJson,
  hostRunJson,
  hostSlotJson,
  hostSummaryJson,
  pageJson,
} from 'carillon/internal/service';
import { z } from 'zod';
import { noteField, pageFields, severalOf, timeText } from './fields.ts';
import * as hostShape from './host-schemas.ts';
import type { Call, Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { hostRehearsal } from './rehearsal.ts';
import * as shape from './schemas.ts';

const word = z.string().min(1).max(1000);

const listQuery = z.strictObject({
  text: word
    .optional()
    .meta({ description: 'a part of the name of the workflow, a topic, a producer or a consumer' }),
  blocked: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'only those that wait for a person, or only the others' }),
  ...pageFields,
});

const eventsQuery = z.strictObject({
  topic: word,
  state: severalOf(z.enum(eventStates)).optional(),
  id: severalOf(word).optional(),
  order: z.enum(['ascending', 'descending']).default('ascending').meta({ description: 'by publication' }),
  ...pageFields,
});

const slotsQuery = z.strictObject({ producer: word, ...pageFields });

const whyQuery = z.strictObject({
  producer: word.optional(),
  at: timeText.optional().meta({ description: 'with `producer`: the due time' }),
  consumer: word.optional(),
  topic: word.optional(),
  event: word.optional().meta({ description: 'with `topic`: the id of an event' }),
});

const pageQuery = z.strictObject(pageFields);

function optionalBody<S extends z.ZodRawShape>(fields: S) {
  const schema = z.strictObject(fields);
  return { schema, read: (sent: unknown) => reader(schema).read(sent ?? {}) };
}

const noteBody = optionalBody({ note: noteField });

const triggerBody = reader(
  z.strictObject({ producer: word.optional(), consumer: word.optional(), note: noteField }),
);

const publishBody = reader(
  z.strictObject({
    topic: word,
    messages: z
      .array(
        z.strictObject({
          id: word
            .optional()
            .meta({ description: 'the same id twice is one event; default: an id of its own' }),
          payload: z.unknown(),
        }),
      )
      .min(1)
      .max(1000),
    note: noteField,
  }),
);

const skipBody = reader(z.strictObject({ topic: word, event: word, note: noteField }));

const resolveBody = reader(
  z.strictObject({
    action: z.enum(['happened', 'didNotHappen', 'tryAgain', 'skip']),
    result: z.unknown().optional().meta({ description: 'with `happened`: what the change returned' }),
    note: noteField,
  }),
);

type Read<R> = R extends { read(sent: unknown): infer T } ? T : never;

const nameOf = ({ namespace, path }: Call<unknown, unknown>) => ({ namespace, id: path.id as string });

function callerOf({ caller }: Call<unknown, unknown>, note: string | undefined) {
  return { ...caller, ...given({ note }) };
}

function bad(path: string, message: string, fix: string): ServiceError {
  return ServiceError.invalid([{ path, reason: 'BAD_QUESTION', message, fix }]);
}

function question(asked: z.output<typeof whyQuery>) {
  const { producer, at, consumer, topic, event } = asked;
  const kinds = [producer, consumer, event].filter((each) => each !== undefined);
  if (kinds.length !== 1)
    throw bad('producer', 'ask about one thing', 'send producer and at, or consumer, or topic and event');
  if (producer !== undefined) {
    if (at === undefined) throw bad('at', 'no due time was given', 'send at=2026-03-01T09:00:00Z');
    return { producer, at };
  }
  if (consumer !== undefined) return { consumer };
  if (topic === undefined) throw bad('topic', 'no topic was given', 'send topic');
  return { topic, event: event as string };
}

const done = z.strictObject({ ok: z.literal(true) });

export const hostOperations: readonly Operation[] = [
  defineOperation<z.output<typeof listQuery>>({
    id: 'listHosts',
    method: 'GET',
    path: '/hosts',
    summary: 'List the workflows on hosts, by name',
    role: 'viewer',
    query: reader(listQuery),
    status: 200,
    response: shape.pageOf(hostShape.hostSummary),
    handle: async ({ services, namespace, query }) => {
      const { text, blocked, after, limit } = query;
      const isBlocked = blocked === undefined ? undefined : blocked === 'true';
      const page = await services.hosts.list({
        namespace,
        limit,
        ...given({ text, after, blocked: isBlocked }),
      });
      return { body: pageJson(page, hostSummaryJson) };
    },
  }),
  defineOperation({
    id: 'describeHost',
    method: 'GET',
    path: '/hosts/{id}',
    summary: 'A workflow: topics, producers, consumers, the run under way, and what a person must do',
    role: 'viewer',
    status: 200,
    response: hostShape.host,
    handle: async (call) => ({ body: hostJson(await call.services.hosts.describe(nameOf(call))) }),
  }),
  defineOperation({
    id: 'deleteHost',
    method: 'DELETE',
    path: '/hosts/{id}',
    summary: 'Close a workflow, with its events; refused while a run is under way',
    role: 'operator',
    ...hostRehearsal(),
    status: 200,
    response: done,
    handle: async (call) => {
      await call.services.hosts.delete(nameOf(call), call.caller);
      return { body: { ok: true } };
    },
  }),
  defineOperation<z.output<typeof eventsQuery>>({
    id: 'listHostEvents',
    method: 'GET',
    path: '/hosts/{id}/events',
    summary: 'The events of a topic',
    role: 'viewer',
    query: reader(eventsQuery),
    status: 200,
    response: shape.pageOf(hostShape.hostEvent),
    handle: async (call) => {
      const { topic, state, id, order, after, limit } = call.query;
      const asked = { topic, order, limit, ...given({ states: state, ids: id, after }) };
      return { body: pageJson(await call.services.hosts.events(nameOf(call), asked), hostEventJson) };
    },
  }),
  defineOperation<z.output<typeof pageQuery>>({
    id: 'listHostRuns',
    method: 'GET',
    path: '/hosts/{id}/runs',
    summary: 'The runs of a workflow, newest first',
    role: 'viewer',
    query: reader(pageQuery),
    status: 200,
    response: shape.pageOf(hostShape.hostRun),
    handle: async (call) => {
      const { after, limit } = call.query;
      return {
        body: pageJson(
          await call.services.hosts.runs(nameOf(call), { limit, ...given({ after }) }),
          hostRunJson,
        ),
      };
    },
  }),
  defineOperation({
    id: 'listHostAttempts',
    method: 'GET',
    path: '/hosts/{id}/runs/{run}/attempts',
    summary: 'All attempts of the work that a run belongs to, oldest first',
    role: 'viewer',
    status: 200,
    response: shape.itemsOf(hostShape.hostRun),
    handle: async (call) => {
      const attempts = await call.services.hosts.attempts(nameOf(call), call.path.run as string);
      return { body: { items: attempts.map(hostRunJson) } };
    },
  }),
  defineOperation<z.output<typeof slotsQuery>>({
    id: 'listHostSlots',
    method: 'GET',
    path: '/hosts/{id}/slots',
    summary:
      "The verdicts over a producer's due times, newest first, each with what became of the work that it started",
    role: 'viewer',
    query: reader(slotsQuery),
    status: 200,
    response: shape.pageOf(hostShape.hostSlot),
    handle: async (call) => {
      const { producer, after, limit } = call.query;
      const page = await call.services.hosts.slots(nameOf(call), producer, { limit, ...given({ after }) });
      return { body: pageJson(page, hostSlotJson) };
    },
  }),
  defineOperation<z.output<typeof whyQuery>>({
    id: 'explainHost',
    method: 'GET',
    path: '/hosts/{id}/why',
    summary: 'Why a producer did or did not run, why a consumer sleeps, or why an event was not taken',
    role: 'viewer',
    query: reader(whyQuery),
    status: 200,
    response: hostShape.hostExplanation,
    handle: async (call) => {
      const explanation = await call.services.hosts.explain(nameOf(call), question(call.query));
      return { body: hostExplanationJson(explanation) };
    },
  }),
  ...(['pause', 'resume'] as const).map((verb) =>
    defineOperation<undefined, Read<typeof noteBody>>({
      id: `${verb}Host`,
      method: 'POST',
      path: '/hosts/{id}',
      verb,
      summary:
        verb === 'pause'
          ? 'Let the run under way finish; after it, only manual runs start'
          : 'End a pause or the block of a failed run; refused while a change is unresolved',
      role: 'operator',
      body: noteBody,
      ...hostRehearsal(),
      status: 200,
      response: done,
      handle: async (call) => {
        await call.services.hosts[verb](nameOf(call), callerOf(call, call.body.note));
        return { body: { ok: true } };
      },
    }),
  ),
  defineOperation<undefined, Read<typeof noteBody>>({
    id: 'releaseHost',
    method: 'POST',
    path: '/hosts/{id}',
    verb: 'release',
    summary: 'Take a workflow out of quarantine',
    role: 'operator',
    body: noteBody,
    ...hostRehearsal(),
    status: 200,
    response: done,
    handle: async (call) => {
      await call.services.hosts.release(nameOf(call), callerOf(call, call.body.note));
      return { body: { ok: true } };
    },
  }),
  defineOperation<undefined, Read<typeof triggerBody>>({
    id: 'triggerHost',
    method: 'POST',
    path: '/hosts/{id}',
    verb: 'trigger',
    summary: 'Start a producer or a consumer now, also while paused',
    role: 'operator',
    body: triggerBody,
    ...hostRehearsal(),
    status: 200,
    response: z.strictObject({
      runId: z.string().nullable().meta({ description: 'null: the consumer waits for the run under way' }),
    }),
    handle: async (call) => {
      const { producer, consumer, note } = call.body;
      if ((producer === undefined) === (consumer === undefined))
        throw bad('producer', 'name a producer or a consumer', 'send one of the two');
      const handler = producer === undefined ? { consumer: consumer as string } : { producer };
      return { body: await call.services.hosts.trigger(nameOf(call), handler, callerOf(call, note)) };
    },
  }),
  defineOperation<undefined, Read<typeof publishBody>>({
    id: 'publishToHost',
    method: 'POST',
    path: '/hosts/{id}',
    verb: 'publish',
    summary: 'Publish messages to a topic',
    role: 'operator',
    body: publishBody,
    ...hostRehearsal(({ body: { topic, messages } }) => ({
      publishes: messages.map(({ id }) => ({ topic, ...given({ id }) })),
    })),
    status: 200,
    response: z.strictObject({
      published: z.int().meta({ description: 'new events; a known id is none' }),
      ids: z.array(z.string()),
    }),
    handle: async (call) => {
      const { topic, messages, note } = call.body;
      const sent = messages.map(({ id, payload }) => ({ topic, payload, ...given({ id }) }));
      return { body: await call.services.hosts.publish(nameOf(call), sent, callerOf(call, note)) };
    },
  }),
  defineOperation<undefined, Read<typeof skipBody>>({
    id: 'skipHostEvent',
    method: 'POST',
    path: '/hosts/{id}',
    verb: 'skip',
    summary: 'Set an event aside for good',
    role: 'operator',
    body: skipBody,
    ...hostRehearsal(({ body: { topic, event } }) => ({ skips: { topic, id: event } })),
    status: 200,
    response: z.strictObject({
      outcome: z
        .enum(['skipped', 'tooLate'])
        .meta({ description: '`tooLate`: its run has begun its change and will consume it' }),
    }),
    handle: async (call) => {
      const { topic, event, note } = call.body;
      return {
        body: await call.services.hosts.skip(nameOf(call), { topic, id: event }, callerOf(call, note)),
      };
    },
  }),
  defineOperation<undefined, Read<typeof resolveBody>>({
    id: 'resolveHostChange',
    method: 'POST',
    path: '/hosts/{id}',
    verb: 'resolve',
    summary: 'Decide about a change whose outcome is not known',
    role: 'operator',
    body: resolveBody,
    ...hostRehearsal(),
    status: 200,
    response: done,
    handle: async (call) => {
      const { action, result = null, note } = call.body;
      const resolution = action === 'happened' ? { action, result } : { action };
      await call.services.hosts.resolve(nameOf(call), resolution, callerOf(call, note));
      return { body: { ok: true } };
    },
  }),
];

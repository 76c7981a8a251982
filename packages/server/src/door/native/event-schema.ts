/** The events of the stream as schemas, for the OpenAPI document. A test compares them with what a server really sends. */
import { runOutcomes } from 'carillon/internal/service';
import { z } from 'zod';
import { streamedTypes } from './event-types.ts';

const time = z.iso.datetime();
const outcome = z.enum(runOutcomes);
const ofSchedule = { schedule: z.string() };
const ofRun = {
  schedule: z.null(),
  runId: z.string(),
  workflowId: z.string().nullable(),
  name: z.string(),
  queue: z.string(),
};
const ended = {
  outcome,
  attempt: z.int(),
  durationMs: z.number().nullable().meta({ description: 'from the first attempt to the end' }),
  error: z.string().optional().meta({ description: 'why it failed or timed out' }),
};
const slotOf = {
  nominal: time,
  cause: z.string().meta({ description: '`auto`, or the id of a backfill or trigger' }),
};

const ofType = <T extends string, S extends z.ZodRawShape>(type: T, shape: S, description: string) =>
  z.strictObject({ type: z.literal(type), ...shape }).meta({ description });

export const streamedEvent = z
  .union([
    ofType(
      'slot',
      {
        ...ofSchedule,
        ...slotOf,
        from: time,
        verdict: z.string(),
        count: z.int(),
        runId: z.string().nullable(),
        detail: z.record(z.string(), z.unknown()).nullable(),
        replaces: z.string().optional(),
      },
      'A slot, or a stretch of `count` slots from `from` to `nominal`, got its verdict',
    ),
    ofType(
      'started',
      {
        ...ofSchedule,
        ...slotOf,
        runId: z.string(),
        workflowId: z.string(),
        lateByMs: z.number(),
        manual: z.boolean(),
        waited: z.boolean(),
        name: z.string(),
        queue: z.string(),
        priority: z.int(),
      },
      'The run of a slot was queued',
    ),
    ofType(
      'finished',
      {
        ...ofSchedule,
        ...slotOf,
        ...ended,
        runId: z.string(),
        workflowId: z.string(),
        name: z.string(),
        sinceFreedMs: z.number().optional(),
      },
      'A run of a schedule ended',
    ),
    ofType('edited', { ...ofSchedule, action: z.string(), actor: z.string() }, 'The schedule was changed'),
    ofType('closed', { ...ofSchedule, reason: z.enum(['deleted', 'idle']) }, 'The schedule was closed'),
    ofType(
      'pausedOnFailure',
      { ...ofSchedule, failures: z.int() },
      'The schedule paused itself after failures',
    ),
    ofType(
      'backfillCompleted',
      { ...ofSchedule, id: z.string(), handed: z.int() },
      'A backfill handed over all its slots',
    ),
    ofType(
      'specSearchLong',
      { ...ofSchedule, reached: z.number() },
      'The search for the next time goes on in slices',
    ),
    ofType('enqueued', { ...ofRun, priority: z.int() }, 'A run without a schedule was queued'),
    ofType(
      'started',
      { ...ofRun, priority: z.int() },
      'A worker took the first attempt of a run without a schedule',
    ),
    ofType('finished', { ...ofRun, ...ended }, 'A run without a schedule ended'),
    ofType(
      'changed',
      { ...ofSchedule, told: z.boolean() },
      'A node wrote this schedule; read it again unless `told`',
    ),
    z.strictObject({}).meta({ description: 'The event `reset`: some were missed, read everything again' }),
  ])
  .meta({ id: 'Event', description: 'the data of one server-sent event' });

/** The description of `GET /events`. */
export function eventsPath(failure: object, event: object): Readonly<Record<string, unknown>> {
  const text = { type: 'string' };
  return {
    get: {
      operationId: 'streamEvents',
      summary: 'Follows what happens, as server-sent events',
      description:
        'Needs the role viewer. Each event has an id, its type as `event`, and one JSON object as `data`. A reader that sends the id of its last event gets what it missed, or `reset`.',
      tags: ['events'],
      parameters: [
        {
          name: 'schedule',
          in: 'query',
          required: false,
          description: 'only of this schedule',
          schema: text,
        },
        {
          name: 'type',
          in: 'query',
          required: false,
          description: 'only of these types; may be repeated',
          schema: { type: 'array', items: { type: 'string', enum: streamedTypes } },
        },
        { name: 'Last-Event-ID', in: 'header', required: false, schema: text },
      ],
      responses: {
        200: {
          description: 'A stream that stays open; the schema is that of `data`',
          content: { 'text/event-stream': { schema: event } },
        },
        default: failure,
      },
    },
  };
}

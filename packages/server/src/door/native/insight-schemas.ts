/** Schemas of the answers that pages read. They only describe; tests check real answers against them. */

import { attentionKinds, eventStates, momentNames, runOutcomes } from 'carillon/internal/service';
import { z } from 'zod';
import { explanation, fieldChange, summary, time } from './schemas.ts';

const counts = z.record(z.string(), z.int());
const outcome = z.enum(runOutcomes);
const runState = z.enum(['waiting', 'leased', 'done']);
const detail = z.record(z.string(), z.unknown());
const untaken = z.literal(true).meta({ description: 'it waits, and no worker takes it' });
const replaced = z.literal(true).meta({ description: 'its overlap policy stopped it for a later run' });

const durations = {
  p50Ms: z.number().nullable().meta({ description: 'half of the runs took at most this long' }),
  p95Ms: z.number().nullable(),
  measured: z.int().meta({ description: 'how many runs that is from' }),
};

export const attention = z
  .strictObject({
    kind: z.enum(attentionKinds).nullable(),
    score: z.int().meta({ description: '0: needs no person' }),
    text: z.string(),
  })
  .meta({ id: 'Attention' });

export const strip = z
  .strictObject({
    slots: z.array(
      z.strictObject({
        at: time,
        verdict: z.string().meta({ description: 'a verdict, or `overdue` while it has none' }),
        count: z.int().optional().meta({ description: 'of a stretch' }),
        cause: z.string().optional().meta({ description: 'absent: auto' }),
        run: z
          .strictObject({
            id: z.string(),
            state: runState,
            outcome: outcome.optional(),
            tookMs: z.number().optional(),
            untaken: untaken.optional(),
            replaced: replaced.optional(),
          })
          .optional(),
        forgotten: z.literal(true).optional().meta({ description: 'its run is no longer kept' }),
      }),
    ),
    ...durations,
  })
  .meta({ id: 'Strip', description: 'the last 20 slots, newest last' });

export const listedSchedule = summary
  .extend({ attention: attention.optional(), strip: strip.optional() })
  .meta({
    id: 'ListedSchedule',
    description: '`attention` is there with `sort` or `strip`, `strip` with `strip=true`',
  });

export const needs = z
  .strictObject({
    at: time,
    groups: z.array(
      z.strictObject({
        kind: z.enum(attentionKinds),
        cause: z
          .strictObject({ type: z.enum(['handler', 'owner']), name: z.string() })
          .nullable()
          .meta({ description: 'what they probably have in common besides the reason' }),
        count: z.int(),
        failures: z.strictObject({ least: z.int(), most: z.int() }).meta({ description: 'in a row' }),
        schedules: z.array(listedSchedule).meta({ description: 'the worst of them, at most three' }),
      }),
    ),
    rest: z
      .strictObject({ groups: z.int(), schedules: z.int() })
      .meta({ description: 'what was left out, pauses not counted' }),
  })
  .meta({
    id: 'Needs',
    description: 'the worst group first, at most seven; up to seven of paused schedules come after them',
  });

export const scheduleCounts = z
  .strictObject({
    at: time,
    total: z.int(),
    running: z.int(),
    paused: z.int(),
    ended: z.int(),
    quarantined: z.int(),
    failing: z.int(),
    late: z.int(),
    busy: z.int().meta({ description: 'a run is running or waiting' }),
    noWorker: z.int(),
    skipping: z.int().meta({ description: 'many of its latest slots were skipped' }),
    attention: z.int().meta({ description: 'needs a person for any reason but a pause' }),
    runsNow: z.int().meta({
      description:
        'runs of the namespace that a worker is at; no filter applies, and at most 1,000 are counted',
    }),
  })
  .meta({ id: 'ScheduleCounts', description: 'open schedules; the four states add up to `total`' });

const timelineSlot = z
  .strictObject({
    at: time,
    until: time.optional(),
    count: z.int().optional(),
    verdict: z.string().meta({ description: 'a verdict, or `due` or `overdue` while it has none' }),
    cause: z.string().optional(),
    decidedAt: time.optional(),
    runId: z.string().optional(),
    detail: detail.optional(),
  })
  .meta({ id: 'TimelineSlot' });

const ruledOutVerdict = z.enum(['excluded', 'outOfBounds', 'dstGap', 'dstFold']);

export const timeline = z
  .strictObject({
    from: time,
    to: time,
    now: time,
    zone: z.string(),
    slots: z.array(timelineSlot),
    runs: z.array(
      z.strictObject({
        id: z.string(),
        at: time,
        cause: z.string().optional(),
        state: runState,
        outcome: outcome.optional(),
        attempt: z.int(),
        createdAt: time,
        startedAt: time.optional(),
        finishedAt: time.optional(),
        tookMs: z.number().optional(),
        worker: z.string().optional(),
        untaken: untaken.optional(),
        replaced: replaced.optional(),
        error: z.string().optional(),
        attempts: z
          .array(
            z.strictObject({
              startedAt: time,
              finishedAt: time.optional(),
              error: z.string().optional(),
            }),
          )
          .optional(),
      }),
    ),
    ruledOut: z.array(z.strictObject({ at: time, verdict: ruledOutVerdict })),
    projected: z.array(
      z.strictObject({
        at: time,
        actual: time.optional(),
        tooLong: z
          .strictObject({ runs: z.int(), of: z.int(), goingMs: z.number().optional() })
          .optional()
          .meta({
            description:
              'the number of measured runs that take longer than the time since the slot before; `goingMs`: the run in the way has been going for longer than any of them',
          }),
        passedOver: z
          .literal(true)
          .optional()
          .meta({ description: 'the pause that goes on will pass it over' }),
      }),
    ),
    ...durations,
    truncated: z.boolean(),
  })
  .meta({ id: 'Timeline' });

export const slotBins = z
  .strictObject({
    from: time,
    to: time,
    now: time,
    zone: z.string(),
    bin: z.string(),
    bins: z.array(
      z.strictObject({
        from: time,
        to: time,
        verdicts: counts.meta({
          description:
            'slots up to now, also those of a pause that goes on and those that the spec rules out',
        }),
        outcomes: counts,
        replaced: z.int().meta({ description: 'of the outcomes: runs that the overlap policy stopped' }),
        unfinished: counts.meta({ description: '`running`, `waiting`, or `untaken` by any worker' }),
        forgotten: z.int().meta({ description: 'started slots whose run is no longer kept' }),
        projected: z.int(),
        passedOver: z.int().meta({ description: 'coming slots of a pause that goes on' }),
        medianMs: z.number().optional(),
        longestMs: z.number().optional(),
      }),
    ),
    truncated: z.boolean(),
  })
  .meta({ id: 'SlotBins' });

const effect = z.enum(['skipped', 'shifted', 'merged', 'doubled', 'first', 'second']);

const versionRef = { stamp: z.int(), number: z.int(), at: time, by: z.string() };

export const stretches = z
  .strictObject({
    from: time,
    to: time,
    now: time,
    createdAt: time,
    closedAt: time.nullable(),
    ledgerFrom: time.nullable().meta({ description: 'the oldest slot that the ledger still has' }),
    forgottenUntil: time.nullable().meta({
      description: 'the last time since the creation whose slot the ledger no longer has; null: it has all',
    }),
    pauses: z.array(
      z.strictObject({
        from: time,
        to: time.nullable(),
        by: z.string(),
        note: z.string(),
        until: time.nullable(),
        endedBy: z.string().nullable(),
      }),
    ),
    versions: z.array(
      z.strictObject({
        stamp: z.int(),
        number: z.int(),
        at: time,
        by: z.string(),
        door: z.string(),
        note: z.string(),
        changes: z.array(fieldChange),
      }),
    ),
    version: z.strictObject(versionRef),
    origins: z.array(z.strictObject({ ...versionRef, path: z.string() })),
    silences: z.array(z.strictObject({ from: time, to: time })),
    clockChanges: z.array(
      z.strictObject({
        at: time,
        zone: z.string(),
        byMinutes: z.number(),
        effects: z.array(
          z.strictObject({ effect, local: z.string(), count: z.int(), runsAtLocal: z.array(z.string()) }),
        ),
      }),
    ),
    zoneTables: z.array(z.strictObject({ at: time, before: z.string(), after: z.string() })),
    ruledOut: z.array(z.strictObject({ from: time, to: time, count: z.int(), verdict: ruledOutVerdict })),
    truncated: z.boolean(),
  })
  .meta({ id: 'Stretches' });

const subject = z.union([
  z.strictObject({ type: z.literal('run'), id: z.string() }),
  z.strictObject({ type: z.literal('slot'), at: time }),
  z.strictObject({ type: z.literal('version'), stamp: z.int() }),
  z.strictObject({ type: z.literal('person'), name: z.string() }),
]);

export const fullExplanation = explanation
  .extend({
    chain: z
      .array(
        z.strictObject({
          type: z.enum(['spec', 'slot', 'run', 'person', 'rule', 'silence', 'clock', 'verdict']),
          at: time.nullable(),
          text: z.string(),
          detail: z.string(),
          subject: subject.nullable(),
        }),
      )
      .meta({ description: 'how it came about: the cause first, the verdict last' }),
    alternatives: z
      .array(
        z.strictObject({
          setting: z.string(),
          value: z.string(),
          answer: z.string(),
          text: z.string(),
        }),
      )
      .meta({ description: 'what the slot would have become with another setting' }),
    saw: z
      .strictObject({
        decidedAt: time.nullable(),
        stamp: z.int().nullable(),
        version: z.int(),
        versions: z.int(),
        zone: z.string(),
        timeZoneVersion: z.string(),
        overlap: z.string(),
        limit: z.int(),
        catchupWindowMs: z.number(),
        missed: z.string(),
        running: z.int(),
      })
      .nullable()
      .meta({ description: 'what the decision saw' }),
  })
  .meta({ id: 'FullExplanation' });

const seriesCounts = {
  verdicts: counts,
  outcomes: counts,
  latenessP50Ms: z.number().nullable(),
  latenessP99Ms: z.number().nullable(),
};

export const series = z
  .strictObject({
    from: time,
    to: time,
    now: time,
    bin: z.string(),
    bins: z.array(z.strictObject({ from: time, ...seriesCounts })),
    total: z.strictObject(seriesCounts),
    truncated: z.boolean().meta({ description: 'slots of pauses that go on were left out or spread evenly' }),
  })
  .meta({ id: 'Series' });

export const load = z
  .strictObject({
    from: time,
    to: time,
    zone: z.string(),
    bin: z.string(),
    bins: z.array(
      z.strictObject({
        from: time,
        starts: z.int(),
        most: z.int().meta({ description: 'the most starts at one moment' }),
      }),
    ),
    moment: z.enum(momentNames).meta({ description: 'what one moment is; longer in longer ranges' }),
    peaks: z
      .array(
        z.strictObject({
          at: time,
          starts: z.int(),
          schedules: z.array(z.string()).meta({ description: 'some of those that start then' }),
          times: z.array(time).meta({ description: 'moments that bring the same schedules; at most 200' }),
          count: z.int().meta({ description: 'how many such moments there are' }),
        }),
      )
      .meta({ description: 'what starts together, the most first' }),
    counted: z.int().meta({ description: 'schedules that were counted: fewer when it would cost too much' }),
    schedules: z.int(),
    spread: z
      .array(z.string())
      .optional()
      .meta({ description: 'the schedules that were counted with another jitter; at most 1000' }),
    computedAt: time,
  })
  .meta({ id: 'Load' });

const date = z.string().meta({ description: 'a day, e.g. 2026-12-25' });

export const days = z
  .strictObject({
    from: time,
    to: time,
    zone: z.string(),
    excluded: z
      .array(
        z.strictObject({
          date,
          label: z.string().meta({ description: 'the comment of the exclusion; empty without one' }),
          schedules: z.int().meta({ description: 'how many it takes times from' }),
          wholeDay: z.int().meta({ description: 'how many of them have no other time on that day' }),
          ids: z.array(z.string()).meta({ description: 'some of them' }),
        }),
      )
      .meta({
        description:
          'by the clocks of the schedules, and by the definitions that were in force when the day ended; without schedules that were paused then',
      }),
    paused: z.array(
      z.strictObject({
        firstDay: date,
        lastDay: date.nullable().meta({ description: 'null: until a person resumes' }),
        by: z.string(),
        note: z.string(),
        schedules: z.int(),
        ids: z.array(z.string()).meta({ description: 'some of them' }),
      }),
    ),
    knownFrom: time.nullable().meta({
      description:
        'what changed before is not known, because the audit is not read that far yet or not kept that long: earlier days are told by the oldest known definitions, without pauses that ended earlier; null: the whole range is known',
    }),
    truncated: z.boolean(),
  })
  .meta({ id: 'Days' });

export const clockChanges = z
  .strictObject({
    from: time,
    to: time,
    items: z.array(
      z.strictObject({
        at: time,
        zone: z.string(),
        byMinutes: z.number(),
        schedules: z.int(),
        touched: z.array(
          z.strictObject({
            id: z.string(),
            effect,
            local: z.string(),
            count: z.int(),
            runsAt: z.array(time),
            runsAtLocal: z.array(z.string()),
            rule: z.string(),
          }),
        ),
        touchedCount: z.int(),
        effects: counts.meta({ description: 'how many schedules it does what to' }),
      }),
    ),
    schedules: z.int(),
    truncated: z.boolean(),
  })
  .meta({ id: 'ClockChanges' });

const status = z.enum(['running', 'paused', 'ended', 'closed', 'quarantined', 'absent']);
const beforeAfter = <T extends z.ZodType>(item: T) => z.strictObject({ before: item, after: item });

const effectFields = {
  text: z.array(z.string()).meta({ description: 'what would happen, in plain sentences' }),
  status: beforeAfter(status),
  verdicts: counts,
  starts: z.int(),
};

export const effects = z
  .strictObject({
    ...effectFields,
    next: beforeAfter(time.nullable()),
    changes: z.array(fieldChange),
    slots: z.array(timelineSlot),
    running: z.int(),
    stops: z.enum(['nothing', 'cancel', 'terminate']),
    passedOver: z.strictObject({ from: time, to: time, count: z.int(), isExact: z.boolean() }).nullable(),
    range: z
      .strictObject({
        count: z.int(),
        isExact: z.boolean(),
        items: z.array(
          z.strictObject({
            at: time,
            verdict: z.string().nullable(),
            runId: z.string().nullable(),
            run: z.strictObject({ state: runState, outcome: outcome.nullable() }).optional(),
          }),
        ),
      })
      .nullable(),
    upcoming: beforeAfter(z.array(time)),
    trial: z
      .strictObject({
        from: time,
        to: time,
        ...beforeAfter(z.record(z.string(), z.int())).shape,
        measured: z.int().meta({ description: 'the runs whose lengths were used' }),
        isWhole: z.boolean(),
      })
      .optional()
      .meta({ description: 'with dryRun=trial: the past week with the definition before and after' }),
  })
  .meta({ id: 'Effects', description: 'the answer to dryRun=true; nothing was changed' });

export const workEffects = z
  .strictObject({
    text: effectFields.text,
    runs: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        producer: z.string().optional().meta({ description: 'of a run of a workflow: what it runs' }),
        consumer: z.string().optional(),
        becomes: z.enum(['queued', 'asked', 'ended', 'forgotten']).meta({
          description: 'a new run; its worker is asked to stop; it ends at once; it is removed with its log',
        }),
      }),
    ),
    events: z.array(z.strictObject({ topic: z.string(), id: z.string(), becomes: z.enum(eventStates) })),
  })
  .meta({ id: 'WorkEffects', description: 'the answer to dryRun=true; nothing was changed' });

export const recordEffects = z
  .strictObject({ text: effectFields.text, changes: z.array(fieldChange) })
  .meta({ id: 'RecordEffects', description: 'the answer to dryRun=true; nothing was changed' });

export const bulkEffects = z
  .strictObject({
    text: z.array(z.string()),
    outcomes: z
      .array(z.strictObject({ count: z.int(), one: z.string(), several: z.string() }))
      .meta({ description: 'how many have each outcome, and what is said of one and of several' }),
    passedOver: z.strictObject({ count: z.int(), within: z.string() }).nullable(),
    items: z.array(
      z.strictObject({
        id: z.string(),
        ok: z.boolean(),
        isChanged: z.boolean(),
        reason: z.string().nullable(),
        message: z.string().nullable(),
        effects: z.strictObject(effectFields).optional(),
      }),
    ),
    failed: z.int(),
  })
  .meta({ id: 'BulkEffects' });

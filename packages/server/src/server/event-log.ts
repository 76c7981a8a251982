/**
 * Logs the events of schedules and runs. Events that need an operator are warnings: failed runs, schedules that paused
 * themselves, runs without a handler in this process. All others have level debug.
 */

import type { Clock } from 'carillon/internal/base';
import { formatInstant } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import type { CarillonEvent, Conclusion, RunRow } from 'carillon/internal/service';
import { failureTypes, optionsOf } from 'carillon/internal/service';
import type { FastifyBaseLogger } from 'fastify';
import { LogSampler } from './log-sampler.ts';

export interface EventLogOptions {
  readonly carillon: Carillon;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Logs events until the caller calls the returned function. */
export function logEvents({ carillon, clock, log }: EventLogOptions): () => void {
  const failures = new LogSampler({
    clock,
    summarise: (left, byKey) =>
      log.warn(
        { suppressed: left, most: Object.fromEntries(byKey) },
        'more runs failed than are logged one by one',
      ),
  });
  const troubles = new LogSampler({
    clock,
    summarise: (left) =>
      log.error({ suppressed: left }, 'more internal errors occurred than are logged one by one'),
  });
  const release = [
    carillon.subscribe((event) => logEvent(event, log, failures)),
    carillon.observe({
      concluded: (run, conclusion) => concluded(run, conclusion, { log, failures }),
      unknownName: (queue, name) =>
        log.warn({ queue, name }, 'runs wait for a handler that this process does not have'),
      unattended: ({ since, near, ...work }) =>
        log.warn(
          { ...work, since: formatInstant(since), ...(near === undefined ? {} : { didYouMean: near }) },
          'runs wait for a handler that no living worker has: start a worker for the queue, or correct the name',
        ),
      trouble: (error, schedule) => {
        if (schedule !== undefined) log.error({ err: error, schedule }, 'quarantined');
        else troubles.write(messageOf(error), () => log.error({ err: error }, 'internal error'));
      },
    }),
  ];
  return () => {
    for (const each of release) each();
    failures.flush();
    troubles.flush();
  };
}

function logEvent(event: CarillonEvent, log: FastifyBaseLogger, failures: LogSampler): void {
  switch (event.type) {
    case 'started':
      if (isDebugging(log)) log.debug(fieldsOf(event), 'started');
      return;
    case 'finished':
      if (event.outcome === 'failed' || event.outcome === 'timedOut') {
        failures.write(`${event.namespace}/${event.schedule ?? event.name}`, () =>
          log.warn(fieldsOf(event), 'run failed'),
        );
      } else if (isDebugging(log)) log.debug(fieldsOf(event), 'finished');
      return;
    case 'pausedOnFailure':
      log.warn(fieldsOf(event), 'schedule paused itself after failures');
      return;
    case 'specSearchLong':
      log.warn(
        fieldsOf(event),
        'the search for the next time of the schedule is long; it continues in slices',
      );
      return;
    case 'closed':
    case 'backfillCompleted':
      log.info(fieldsOf(event), event.type);
      return;
    default:
      return;
  }
}

/** Logs attempts that will be retried. The end of a run has its own event. */
function concluded(
  run: RunRow,
  conclusion: Conclusion,
  { log, failures }: { readonly log: FastifyBaseLogger; readonly failures: LogSampler },
): void {
  if (conclusion.kind !== 'failed' && conclusion.kind !== 'timedOut') return;
  const { schedule = null, workflowId, nominal, retry } = optionsOf(run);
  const isLast = (retry?.attempts ?? 1) !== 0 && run.attempt >= (retry?.attempts ?? 1);
  if (isLast) return;
  const error =
    conclusion.kind === 'failed' ? conclusion.failure.message : `the ${conclusion.limit} timed out`;
  const isEnqueueFailed =
    conclusion.kind === 'failed' && conclusion.failure.type === failureTypes.enqueueFailed;
  const fields = {
    namespace: run.namespace,
    ...(schedule === null ? {} : { schedule }),
    runId: run.id,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(nominal === undefined ? {} : { nominal: formatInstant(nominal) }),
    name: run.name,
    queue: run.queue,
    attempt: run.attempt,
    outcome: conclusion.kind,
    error,
  };
  failures.write(`${run.namespace}/${schedule ?? run.name}`, () => {
    // The queue is down: an operator must know before the slot is given up.
    if (isEnqueueFailed) log.error(fields, 'failed to enqueue the job, trying again');
    else log.info(fields, 'attempt failed');
  });
}

function fieldsOf({ type: _, ...event }: CarillonEvent) {
  if (event.schedule === null) {
    const { schedule: __, ...fields } = event;
    return fields;
  }
  return 'nominal' in event ? { ...event, nominal: formatInstant(event.nominal) } : event;
}

/** Checked before a line is built: at full load there are thousands that would be discarded. */
function isDebugging({ level }: FastifyBaseLogger): boolean {
  return level === 'debug' || level === 'trace';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

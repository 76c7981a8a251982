/** Pausing and resuming many schedules: each by itself, in the order of the list; a failure does not stop the others. */
import { isServiceError } from 'carillon/internal/base';
import { mostBulkIds } from 'carillon/internal/service';
import { Reading } from '../../flow/read-fields.ts';
import { badList } from './errors.ts';
import type { Call, Operation } from './operation.ts';
import { refused } from './query-parameter.ts';
import { pauseSchedule, resumeSchedule } from './schedule-verbs.ts';

export const bulkOperations: readonly Operation[] = [
  bulk('/bulk/pause', 'pauseSchedules.arg0', (name, call) => pauseSchedule(name, call, undefined)),
  bulk('/bulk/resume', 'resumeSchedules.arg0', resumeSchedule),
];

function bulk(
  path: string,
  argument: string,
  verb: (name: string, call: Call) => Promise<undefined>,
): Operation {
  return {
    methods: ['PUT'],
    path,
    role: 'operator',
    changes: true,
    handle: async (call) => {
      const names = readNames(call.body(), argument);
      const done: string[] = [];
      const errors: Record<string, string> = {};
      for (const name of names) {
        try {
          await verb(name, call);
          done.push(name);
        } catch (error) {
          // An error of the server is not a result of one schedule.
          if (!isServiceError(error) || error.code === 'internal' || error.code === 'unavailable')
            throw error;
          errors[name] = error.message;
        }
      }
      return { bulkErrorResults: errors, bulkSuccessfulResults: done };
    },
  };
}

function readNames(body: unknown, argument: string): readonly string[] {
  if (!Array.isArray(body)) throw refused('', 'the body must be a list of schedule names');
  if (body.length === 0) throw badList(argument, 'Schedule names list cannot be null.');
  if (body.length > mostBulkIds) {
    throw badList(
      argument,
      `Cannot process more than ${mostBulkIds} schedules. Please use multiple requests.`,
    );
  }
  const reading = new Reading();
  return body.map((item, index) => {
    const name = reading.text(item, `[${index}]`);
    if (name === undefined) throw refused(`[${index}]`, 'must be the name of a schedule');
    return name;
  });
}

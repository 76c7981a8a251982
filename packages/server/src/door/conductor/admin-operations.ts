/**
 * Holding all schedules of a namespace, and releasing them. The original stops one process until its next restart; here
 * every schedule is paused with its own note, and the switch is stored, so that later schedules are held too.
 */
import { isServiceError } from 'carillon/internal/base';
import type { Filter, NamedSchedule } from 'carillon/internal/service';
import { polledRecords } from './execution-search.ts';
import type { Call, Operation } from './operation.ts';

/** The note of a pause that holds all schedules. */
export const heldNote = 'held with all schedules (admin/pause)';

/** Schedules changed concurrently. */
const atOnce = 16;

const mostSamples = 10;

const done = { status: 'done' };

export const adminOperations: readonly Operation[] = [
  {
    methods: ['GET'],
    path: '/admin/pause',
    role: 'operator',
    changes: true,
    handle: async (call) => {
      await call.services.hold.set(call.namespace, true, { ...call.caller, action: 'hold' });
      const running: Filter = { field: '$paused', is: '=', value: false };
      await each(call, running, async ({ id }) => {
        const { services, namespace, caller } = call;
        await services.schedules.pause({ namespace, id }, { ...caller, note: heldNote });
      });
      return done;
    },
  },
  {
    methods: ['GET'],
    path: '/admin/resume',
    role: 'operator',
    changes: true,
    handle: async (call) => {
      await call.services.hold.set(call.namespace, false, { ...call.caller, action: 'release' });
      const paused: Filter = { field: '$paused', is: '=', value: true };
      await each(call, paused, (schedule) => release(schedule, call));
      return done;
    },
  },
  {
    methods: ['GET'],
    path: '/admin/requeue',
    role: 'operator',
    changes: true,
    // A decided start is a run in the queue at once and cannot get lost, so nothing is requeued; the runs are only listed.
    handle: async (call) => {
      const ids = (await polledRecords(call)).map(({ executionId }) => executionId);
      return { 'recordIds.size': ids.length, sampleIds: ids.slice(0, mostSamples) };
    },
  },
];

/** Resumes a schedule. Slots of the pause are handled as after an outage: by the schedule's own policy. */
async function release({ id }: NamedSchedule, { services, namespace, caller }: Call): Promise<void> {
  const [outline] = await services.schedules.outlines(namespace, [id]);
  if (outline?.definition.paused?.note !== heldNote) return;
  const { missed } = outline.definition.policy;
  await services.schedules.resume({ namespace, id }, { ...caller, missed });
}

async function each(
  call: Call,
  filter: Filter,
  change: (schedule: NamedSchedule) => Promise<void>,
): Promise<void> {
  const { services, namespace } = call;
  for (let after: string | null | undefined; after !== null; ) {
    const page = await services.schedules.names({
      namespace,
      filter,
      ...(after === undefined ? {} : { after }),
    });
    for (let from = 0; from < page.items.length; from += atOnce) {
      await Promise.all(
        page.items.slice(from, from + atOnce).map((schedule) => unlessGone(() => change(schedule))),
      );
    }
    after = page.next;
  }
}

/** Makes a change. A schedule that another caller has deleted meanwhile needs none. */
async function unlessGone(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!isServiceError(error) || (error.reason !== 'EXECUTION_CLOSED' && error.reason !== 'NOT_FOUND'))
      throw error;
  }
}

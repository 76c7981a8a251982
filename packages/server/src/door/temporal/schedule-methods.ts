/** The remote procedures of schedules: each reads its request, calls the service and writes the answer. */
import { isServiceError, ServiceError } from 'carillon/internal/base';
import type {
  Caller,
  ScheduleName,
  SchedulePatch,
  ScheduleService,
  ScheduleSnapshot,
  Services,
} from 'carillon/internal/service';
import { largestPage, largestPayload, longestId } from 'carillon/internal/service';
import type { ClusterTargets } from './cluster-target.ts';
import { contentOf } from './fields.ts';
import { matchingTimes } from './matching-times.ts';
import type { Call, Methods } from './method.ts';
import { originDoor } from './origin.ts';
import { readPatch } from './patch-message.ts';
import { readTimestamp, toTimestamp } from './proto-time.ts';
import type { Patch, Timestamp } from './protocol.ts';
import { describeAnswer, listEntry, readToken, writeToken } from './schedule-answer.ts';
import type { DraftRequest } from './schedule-draft.ts';
import { readDraft, tooLarge } from './schedule-draft.ts';
import { badRequest } from './status.ts';
import { readPageToken, writePageToken } from './visibility/page-token.ts';
import { visibilityFilter } from './visibility/schedule-query.ts';
import { checkLength } from './workflow-start.ts';

export interface ScheduleMethodsDeps
  extends Pick<Services, 'schedules' | 'namespaces' | 'attributes' | 'insight'> {
  readonly targets: ClusterTargets;
}

interface Named {
  readonly namespace: string;
  readonly scheduleId: string;
}

interface Changing extends Named {
  readonly identity?: string;
  readonly requestId?: string;
}

interface ListRequest {
  readonly namespace: string;
  readonly maximumPageSize: number;
  readonly nextPageToken?: Uint8Array | null;
  readonly query: string;
}

export function scheduleMethods(deps: ScheduleMethodsDeps): Methods {
  const { schedules, namespaces, attributes, insight, targets } = deps;
  /** The schedule that a request names, in an existing namespace. */
  const nameOf = async ({
    namespace,
    scheduleId,
  }: Named): Promise<ScheduleName & { readonly seed: string }> => {
    const { id } = await namespaces.require(namespace);
    if (scheduleId === '') throw badRequest('ScheduleId is not set on request.');
    return { namespace, id: scheduleId, seed: `${id}-${scheduleId}` };
  };
  const sourceOf = (name: ScheduleName & { readonly seed: string }) => ({
    name,
    seed: name.seed,
    target: targets[name.namespace],
  });
  const snapshotOf = async (request: Named): Promise<ScheduleSnapshot> => {
    const snapshot = await schedules.snapshot(await nameOf(request));
    if (snapshot.isClosed) throw notFound(request);
    return snapshot;
  };
  const filterOf = async (namespace: string, query: string) => {
    await namespaces.require(namespace);
    const types = await attributes.typesOf(namespace);
    const filter = visibilityFilter(query, types);
    return { types, ...(filter === undefined ? {} : { filter }) };
  };
  return {
    CreateSchedule: async (request: Changing & DraftRequest & { initialPatch?: Patch | null }, call) => {
      const { requestId = '', scheduleId } = request;
      const name = await nameOf(request);
      if (Buffer.byteLength(scheduleId) > longestId)
        throw badRequest(`ScheduleId exceeds limit of ${longestId}.`);
      if (requestId === '') throw badRequest('RequestId is not set on request.');
      checkLength('RequestId', requestId);
      const types = await attributes.typesOf(name.namespace);
      const numbers = { schedule: 3, memo: 7 };
      const draft = readDraft({ ...sourceOf(name), request, body: call.body, numbers, types });
      const patch = readPatch(request.initialPatch ?? {});
      const { token } = await create(
        schedules,
        name,
        draft(),
        caller('CreateSchedule', request, call),
        patch,
      );
      return { conflictToken: writeToken(token) };
    },

    DescribeSchedule: async (request: Named) => {
      const snapshot = await snapshotOf(request);
      return describeAnswer(snapshot, await attributes.typesOf(request.namespace));
    },

    UpdateSchedule: async (
      request: Changing & DraftRequest & { conflictToken?: Uint8Array | null },
      call,
    ) => {
      const name = await nameOf(request);
      checkLength('RequestId', request.requestId ?? '');
      const types = await attributes.typesOf(name.namespace);
      const numbers = { schedule: 3, memo: 8 };
      const draft = readDraft({ ...sourceOf(name), request, body: call.body, numbers, types });
      const token = readToken(request.conflictToken);
      const by = caller('UpdateSchedule', request, call);
      await unlessGone(request, () =>
        schedules.update(name, draft, token === undefined ? by : { ...by, token }),
      );
      return {};
    },

    PatchSchedule: async (request: Changing & { patch?: Patch | null }, call) => {
      const name = await nameOf(request);
      const { patch: given } = request;
      if (given === null || given === undefined) throw badRequest('Patch is not set on request.');
      checkLength('RequestId', request.requestId ?? '');
      for (const note of [given.pause, given.unpause]) {
        if (Buffer.byteLength(note ?? '') > longestNote) throw badRequest('Schedule notes exceeds limit.');
      }
      if ((contentOf(call.body, patchField)?.length ?? 0) > largestPayload) throw tooLarge();
      const patch = readPatch(given);
      const note = patch.resume ?? patch.pause;
      const by = caller('PatchSchedule', request, call);
      await unlessGone(request, () =>
        schedules.patch(name, patch, note === undefined ? by : { ...by, note }),
      );
      return {};
    },

    DeleteSchedule: async (request: Changing, call) => {
      const name = await nameOf(request);
      await unlessGone(request, () => schedules.delete(name, caller('DeleteSchedule', request, call)));
      return {};
    },

    ListSchedules: async (request: ListRequest) => {
      const { namespace, maximumPageSize, nextPageToken, query } = request;
      const { types, ...filter } = await filterOf(namespace, query);
      const [after] = readPageToken(nextPageToken, ['string']) ?? [];
      const limit = maximumPageSize > 0 ? Math.min(maximumPageSize, largestPage) : largestPage;
      const page = await insight.newest({
        namespace,
        limit,
        ...filter,
        ...(after === undefined ? {} : { after }),
      });
      return {
        schedules: page.items.map((snapshot) => listEntry(snapshot, types)),
        ...(page.next === null ? {} : { nextPageToken: writePageToken([page.next]) }),
      };
    },

    CountSchedules: async ({ namespace, query }: { namespace: string; query: string }) => {
      const { types: _, ...filter } = await filterOf(namespace, query);
      return { count: await schedules.count({ namespace, ...filter }) };
    },

    ListScheduleMatchingTimes: async (
      request: Named & { startTime?: Timestamp | null; endTime?: Timestamp | null },
      { signal }: Call,
    ) => {
      const { startTime, endTime } = request;
      if (!startTime || !endTime)
        throw badRequest('missing or invalid query: StartTime and EndTime must be set');
      const from = readTimestamp('StartTime', startTime);
      const to = readTimestamp('EndTime', endTime);
      const { definition } = await snapshotOf(request);
      return { startTime: (await matchingTimes(definition, { from, to }, signal)).map(toTimestamp) };
    },
  };
}

/** Longest note in a patch, in bytes. */
const longestNote = 1000;
const patchField = 3;

/**
 * The method is part of the request id, because the same id under another procedure is another request. An empty id means
 * that the client does not retry.
 */
function caller(method: string, { identity = '', requestId = '' }: Changing, call: Call): Caller {
  const { actor, barred } = call.identity;
  return {
    // Without API keys every caller is `local`; then the identity that the client gives says more.
    actor: actor === 'local' && identity !== '' ? identity : actor,
    door: originDoor,
    ...(barred === undefined ? {} : { barred }),
    ...(requestId === '' ? {} : { requestId: `${method}:${requestId}` }),
  };
}

async function create(
  schedules: ScheduleService,
  name: ScheduleName,
  draft: Parameters<ScheduleService['create']>[1],
  by: Caller,
  patch: SchedulePatch,
) {
  try {
    return await schedules.create(name, draft, by, patch);
  } catch (error) {
    if (!isServiceError(error) || error.reason !== 'ALREADY_EXISTS') throw error;
    const { code, reason } = error;
    throw new ServiceError({
      code,
      reason,
      message: `schedule "${name.id}" is already registered`,
      cause: error,
    });
  }
}

/** Reports a closed schedule as not found, as clients expect. */
async function unlessGone<T>(name: Named, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isServiceError(error) && error.reason === 'EXECUTION_CLOSED') throw notFound(name);
    throw error;
  }
}

function notFound({ namespace, scheduleId }: Named): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no schedule '${scheduleId}' in the namespace '${namespace}'`,
  });
}

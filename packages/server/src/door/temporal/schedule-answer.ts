/** A schedule as clients see it: the definition, which is already encoded, and its current state. */
import type { Instant } from 'carillon/internal/base';
import type { AttributeTypes, RunOutcome, ScheduleSnapshot } from 'carillon/internal/service';
import { encoded, field } from './fields.ts';
import { toTimestamp } from './proto-time.ts';
import { encode, typeNamed } from './protocol.ts';
import { attributesPiece, piecesOf, scheduleBytes } from './schedule-pieces.ts';
import { runUuid } from './workflows/run-uuid.ts';

const infoType = typeNamed('temporal.api.schedule.v1.ScheduleInfo');
const tokenBytes = 8;

/** The conflict token is opaque to clients: they send back the bytes they received. */
export function writeToken(token: number): Uint8Array {
  const bytes = Buffer.alloc(tokenBytes);
  bytes.writeBigInt64LE(BigInt(token));
  return bytes;
}

/** Returns undefined when no token was sent. Bytes that this server never wrote become a token that matches nothing. */
export function readToken(bytes: Uint8Array | null | undefined): number | undefined {
  if (bytes === null || bytes === undefined || bytes.length === 0) return undefined;
  return bytes.length === tokenBytes ? Number(Buffer.from(bytes).readBigInt64LE()) : -1;
}

interface Answer {
  readonly types: AttributeTypes;
  readonly message: object;
}

/** Answers by snapshot. Snapshots are immutable, and reads return the same one until the schedule changes. */
const answers = new WeakMap<ScheduleSnapshot, Answer>();

/** The fields of a `DescribeScheduleResponse`. */
export function describeAnswer(snapshot: ScheduleSnapshot, types: AttributeTypes): object {
  const known = answers.get(snapshot);
  if (known?.types === types) return known.message;
  const message = makeAnswer(snapshot, types);
  answers.set(snapshot, { types, message });
  return message;
}

function makeAnswer(snapshot: ScheduleSnapshot, types: AttributeTypes): object {
  const { definition, state, id } = snapshot;
  const pieces = piecesOf(definition, id);
  const attributes = attributesPiece(definition, pieces, types);
  const parts = [
    field(1, scheduleBytes(definition, pieces, state.remaining)),
    field(2, encode(infoType, infoMessage(snapshot))),
    field(5, writeToken(state.token)),
  ];
  // Present although empty, as clients print them.
  parts.push(field(3, pieces.memo), field(4, attributes));
  return encoded(Buffer.concat(parts));
}

/** The zero value of Go's time type, which Go clients treat as 'not set'. */
const never = { seconds: -62_135_596_800 };

function infoMessage(snapshot: ScheduleSnapshot): object {
  const { state, running, createdAt, incident } = snapshot;
  const { counters } = state;
  return {
    actionCount: counters.actions,
    missedCatchupWindow: counters.missedCatchupWindow,
    overlapSkipped: counters.overlapSkipped,
    bufferDropped: counters.bufferDropped,
    bufferSize: snapshot.waiting,
    runningWorkflows: running.map(({ workflowId, runId }) => ({ workflowId, runId: runUuid(runId) })),
    recentActions: actionsOf(snapshot),
    futureActionTimes: snapshot.future.map(({ actual }) => toTimestamp(actual)),
    createTime: toTimestamp(createdAt),
    updateTime: state.replacedAt === undefined ? never : toTimestamp(state.replacedAt),
    ...(incident === null ? {} : { invalidScheduleError: incident }),
    stateSizeBytes: snapshot.stateBytes,
  };
}

/** Number of actions per schedule in a listing. */
const listedActions = 5;

/** The fields of a `ScheduleListEntry`. */
export function listEntry(snapshot: ScheduleSnapshot, types: AttributeTypes): object {
  const { definition, id } = snapshot;
  const pieces = piecesOf(definition, id);
  const attributes = attributesPiece(definition, pieces, types);
  const { note, paused } = definition;
  return {
    scheduleId: id,
    ...(pieces.memo.length > 0 ? { memo: encoded(pieces.memo) } : {}),
    ...(attributes.length > 0 ? { searchAttributes: encoded(attributes) } : {}),
    info: {
      spec: encoded(pieces.listedSpec),
      workflowType: { name: pieces.workflowType },
      notes: note,
      paused: paused !== null,
      recentActions: actionsOf(snapshot).slice(-listedActions),
      futureActionTimes: snapshot.future.map(({ actual }) => toTimestamp(actual)),
    },
  };
}

const runningStatus = 1;
const statuses: Readonly<Record<RunOutcome, number>> = {
  completed: 2,
  failed: 3,
  cancelled: 4,
  terminated: 5,
  timedOut: 7,
};

interface Action {
  readonly actual: Instant;
  readonly startedAt: Instant;
  readonly workflowId: string;
  readonly runId: string;
  readonly status: number;
}

/**
 * The running actions and the newest ended ones, in order of their start. Clients sort by start and use it as a key, so starts
 * of the same millisecond are told apart by one.
 */
function actionsOf({ running, recent }: ScheduleSnapshot): readonly object[] {
  const actions: readonly Action[] = [
    ...[...recent].reverse().map(({ outcome, ...action }) => ({ ...action, status: statuses[outcome] })),
    ...running.map((action) => ({ ...action, status: runningStatus })),
  ];
  let last = Number.NEGATIVE_INFINITY;
  return [...actions]
    .sort((a, b) => a.startedAt - b.startedAt || a.actual - b.actual)
    .map(({ actual, startedAt, workflowId, runId, status }) => {
      last = Math.max(startedAt, last + 1);
      return {
        scheduleTime: toTimestamp(actual),
        actualTime: toTimestamp(last as Instant),
        startWorkflowResult: { workflowId, runId: runUuid(runId) },
        startWorkflowStatus: status,
      };
    });
}

/** Short words for the raw schedule calls that no client wraps, as these tests need them. */
import { randomUUID } from 'node:crypto';
import { google, type temporal } from '@temporalio/proto';
import type { GrpcStage } from '../grpc-stage.ts';

export const namespace = 'default';

type Schedule = temporal.api.schedule.v1.ISchedule;
export type Spec = temporal.api.schedule.v1.IScheduleSpec;
type Create = temporal.api.workflowservice.v1.ICreateScheduleRequest;
type StartWorkflow = temporal.api.workflow.v1.INewWorkflowExecutionInfo;

/** The generated types want `Long` for 64 bits; the encoder takes numbers. */
export function seconds(whole: number, nanos = 0): google.protobuf.IDuration {
  return { seconds: whole as never, nanos };
}

export function timestamp(text: string): google.protobuf.ITimestamp {
  const [, whole = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return seconds(Date.parse(`${whole}Z`) / 1000, Number(fraction.padEnd(9, '0')));
}

/** The instant as RFC 3339 without trailing zeros, so that known answers can be compared as text. */
export function textOf(at: google.protobuf.ITimestamp): string {
  const nanos = at.nanos ?? 0;
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return new Date(Number(at.seconds) * 1000).toISOString().replace('.000Z', `${fraction}Z`);
}

export const hourly: Spec = { interval: [{ interval: seconds(3600) }] };

export function startWorkflow(fields: StartWorkflow = {}): StartWorkflow {
  return {
    workflowId: 'w',
    workflowType: { name: 'work' },
    taskQueue: { name: 'default', kind: 1 },
    ...fields,
  };
}

export function scheduleOf(spec: Spec, fields: Schedule = {}): Schedule {
  return { spec, action: { startWorkflow: startWorkflow() }, state: { paused: true }, ...fields };
}

export async function create(stage: GrpcStage, scheduleId: string, schedule: Schedule, fields: Create = {}) {
  return await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId: randomUUID(),
    schedule,
    ...fields,
  });
}

export async function describeRaw(stage: GrpcStage, scheduleId: string) {
  return await stage.service.describeSchedule({ namespace, scheduleId });
}

/** What the server says the schedule's times are: the start is exclusive, the end inclusive. */
export async function matchingTimes(stage: GrpcStage, scheduleId: string, after: string, through: string) {
  const { startTime } = await stage.service.listScheduleMatchingTimes({
    namespace,
    scheduleId,
    startTime: timestamp(after),
    endTime: timestamp(through),
  });
  return (startTime ?? []).map(textOf);
}

export interface Refusal {
  readonly code: number;
  readonly details: string;
  readonly detail: { readonly type: string; readonly value: Uint8Array } | undefined;
}

export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    const { code, details, metadata } = error as {
      code: number;
      details: string;
      metadata: { get(name: string): Buffer[] };
    };
    const [bytes] = metadata.get('grpc-status-details-bin');
    const [any] = bytes === undefined ? [] : (google.rpc.Status.decode(bytes).details ?? []);
    const detail =
      any === undefined ? undefined : { type: any.type_url ?? '', value: any.value as Uint8Array };
    return { code, details, detail };
  }
  throw new Error('it was not refused');
}

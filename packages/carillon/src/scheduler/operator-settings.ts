/**
 * What the operator sets for the schedules of each namespace, under Temporal's names. The value that holds back or drops a start is
 * named in its verdict.
 */
import type { Duration, Instant } from '../base/time.ts';
import { addTime, second } from '../base/time.ts';
import type { Setting, Settings } from '../engine/setting.ts';
import type { ScheduleView } from './schedule.ts';

export interface OperatorSettings {
  /** Starts of one schedule that may wait at once; more are dropped. 0: no limit. Default 1000. */
  readonly MaxBufferSize: number;
  /** Slots that a backfill hands over in one step, at most 100. Default 100. */
  readonly BackfillsPerIteration: number;
  /** Milliseconds between two automatic starts of one schedule, at least. Default 0. */
  readonly MinInterval: number;
  /** Starts of all schedules of the namespace per second and process. 0: no limit. Default 0. */
  readonly SchedulerNamespaceStartWorkflowRPS: number;
}

export type OperatorSettingName = keyof OperatorSettings;

export const defaultOperatorSettings: OperatorSettings = {
  MaxBufferSize: 1000,
  BackfillsPerIteration: 100,
  MinInterval: 0,
  SchedulerNamespaceStartWorkflowRPS: 0,
};

/** Settings for all namespaces, and others for some of them. */
export interface OperatorOptions extends Partial<OperatorSettings> {
  readonly namespaces?: Readonly<Record<string, Partial<OperatorSettings>>>;
}

/** The settings of a namespace and the rate of its starts. */
interface NamespaceRules {
  readonly settings: OperatorSettings;
  /** Admits a start at this time, or returns when to ask again. */
  readonly admit: (now: Instant) => Instant | undefined;
}

type Rules = (namespace: string) => NamespaceRules;

const unlimited = (): undefined => undefined;

const rules: Setting<Rules> = {
  name: 'operator',
  default: () => ({ settings: defaultOperatorSettings, admit: unlimited }),
};

/** The settings in force for a namespace. */
export function operatorSettings(
  { namespaces, ...all }: OperatorOptions,
  namespace: string,
): OperatorSettings {
  return { ...defaultOperatorSettings, ...all, ...namespaces?.[namespace] };
}

export function operatorRules(options: OperatorOptions): Settings {
  const known = new Map<string, NamespaceRules>();
  const of: Rules = (namespace) => {
    let found = known.get(namespace);
    if (found === undefined) {
      const settings = operatorSettings(options, namespace);
      const rate = settings.SchedulerNamespaceStartWorkflowRPS;
      found = { settings, admit: rate > 0 ? startRate(rate) : unlimited };
      known.set(namespace, found);
    }
    return found;
  };
  return new Map([[rules as Setting<unknown>, of]]);
}

export function settingsOf(schedule: ScheduleView): OperatorSettings {
  return schedule.setting(rules)(schedule.key.namespace).settings;
}

/** Starts of a schedule that may wait at once. */
export function bufferSizeOf(schedule: ScheduleView): number {
  const { MaxBufferSize } = settingsOf(schedule);
  return MaxBufferSize > 0 ? MaxBufferSize : Number.POSITIVE_INFINITY;
}

/** Admits a start at the rate of the namespace, or returns when to ask again. */
export function admitStart(schedule: ScheduleView): Instant | undefined {
  return schedule.setting(rules)(schedule.key.namespace).admit(schedule.now);
}

/**
 * Admits starts at an even pace; after a pause, up to one second's worth of them at once. It lives in this process: a
 * decision that is made again counts its starts again, which only makes the rate a little lower.
 */
function startRate(perSecond: number): (now: Instant) => Instant | undefined {
  const pace = second / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return (now) => {
    const at = Math.max(next, now - second + pace);
    if (at > now) return addTime(now, Math.max(1, Math.ceil(at - now)) as Duration);
    next = at + pace;
    return undefined;
  };
}

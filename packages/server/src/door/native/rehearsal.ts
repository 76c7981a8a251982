/**
 * `dryRun=true`: an operation is decided as always, nothing is written, and the answer describes its effects.
 * `dryRun=trial` also tries the changed definition on the past week.
 */

import type { Instant } from 'carillon/internal/base';
import { given, ServiceError } from 'carillon/internal/base';
import type { Caller, HostSubject, ScheduleName } from 'carillon/internal/service';
import { recordEffects } from 'carillon/internal/service';
import type { ChangedBy } from '../server-port.ts';
import { effects, recordEffects as recordEffectsShape, workEffects } from './insight-schemas.ts';
import type { Call, OperationAnswer, OperationOf } from './operation.ts';

export const dryRunName = 'dryRun';

interface Subject {
  readonly name: ScheduleName;
  /** The range of a backfill, which is shown slot by slot. */
  readonly range?: { readonly from: Instant; readonly to: Instant };
}

/** The dry run of an operation on one schedule. It calls the operation itself, with a caller for whom nothing is written. */
export function rehearsal<Query, Body>(
  subjectOf: (call: Call<Query, Body>) => Subject,
): Pick<OperationOf<Query, Body>, 'rehearsal'> {
  return {
    rehearsal: {
      response: effects,
      rehearse: async (
        call: Call<Query, Body>,
        handle: (call: Call<Query, Body>) => Promise<OperationAnswer>,
        withTrial: boolean,
      ) => {
        const { name, range } = subjectOf(call);
        const change = async (caller: Call<Query, Body>['caller']) => await handle({ ...call, caller });
        return await call.services.insight.effects(name, call.caller, change, given({ range, withTrial }));
      },
    },
  };
}

/** The dry run of an operation on runs. */
export function runRehearsal<Query, Body>(): Pick<OperationOf<Query, Body>, 'rehearsal'> {
  return {
    rehearsal: {
      response: workEffects,
      rehearse: async (
        call: Call<Query, Body>,
        handle: (call: Call<Query, Body>) => Promise<OperationAnswer>,
      ) => await call.services.runs.effects(call.caller, async (caller) => await handle({ ...call, caller })),
    },
  };
}

/** The dry run of an operation on a workflow; `subjectOf` returns the events that it concerns. */
export function hostRehearsal<Query, Body>(
  subjectOf: (call: Call<Query, Body>) => HostSubject = () => ({}),
): Pick<OperationOf<Query, Body>, 'rehearsal'> {
  return {
    rehearsal: {
      response: workEffects,
      rehearse: async (
        call: Call<Query, Body>,
        handle: (call: Call<Query, Body>) => Promise<OperationAnswer>,
      ) => {
        const name = { namespace: call.namespace, id: call.path.id as string };
        const change = async (caller: Call<Query, Body>['caller']) => await handle({ ...call, caller });
        return await call.services.hosts.effects(name, call.caller, change, subjectOf(call));
      },
    },
  };
}

/** The dry run of an operation on saved views, API keys or namespaces. */
export function recordRehearsal<Query, Body>(): Pick<OperationOf<Query, Body>, 'rehearsal'> {
  return {
    rehearsal: {
      response: recordEffectsShape,
      rehearse: async (
        call: Call<Query, Body>,
        handle: (call: Call<Query, Body>) => Promise<OperationAnswer>,
      ) => {
        const change = async (caller: Call<Query, Body>['caller']) => await handle({ ...call, caller });
        return await recordEffects(call.caller, change, call.services.retention.inForce);
      },
    },
  };
}

/** The caller of a change of records, which have neither request ids nor tokens. */
export function changedBy({ actor, door, note, rehearsed }: Caller): ChangedBy {
  return { actor, door, ...given({ note, rehearsed }) };
}

export type DryRun = 'no' | 'effects' | 'trial';

/** Takes `dryRun` out of a query. Operations without a dry run refuse it like any unknown parameter. */
export function takeDryRun(query: Record<string, unknown>): DryRun {
  const { [dryRunName]: asked } = query;
  delete query[dryRunName];
  if (asked === undefined || asked === 'false') return 'no';
  if (asked === 'true') return 'effects';
  if (asked === 'trial') return 'trial';
  const fix = 'write true, trial, or leave it out';
  throw ServiceError.invalid([
    { path: dryRunName, reason: 'INVALID_VALUE', message: 'not true, false or trial', fix },
  ]);
}

/** Who changed a schedule, and how. Changes that a schedule makes to its own definition are audited too. */
import type { ScheduleDefinition } from './definition.ts';
import type { ScheduleNode } from './schedule.ts';

export interface ChangedBy {
  readonly actor: string;
  readonly door: string;
  readonly note?: string;
}

/** The door of changes that no person asked for. */
export const ownDoor = 'scheduler';

export function auditTarget(id: string): string {
  return `schedule/${id}`;
}

export function auditChange(
  schedule: ScheduleNode,
  { actor, door, note = '' }: ChangedBy,
  action: string,
  before: ScheduleDefinition | null,
): void {
  const after = schedule.child('definition').state;
  const changed = before !== after;
  schedule.report({ type: 'edited', action, actor });
  schedule.audit({
    namespace: schedule.key.namespace,
    target: auditTarget(schedule.key.id),
    actor,
    door,
    action,
    note,
    before: before === null || !changed ? null : JSON.stringify(before),
    after: changed ? JSON.stringify(after) : null,
  });
}

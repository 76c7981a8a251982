/** The people of a chain: who created, changed, paused, resumed or asked for something, and the pause that the schedule made itself. Pure. */
import type { Instant } from '../../base/time.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { Act, ChainLink, ChainMaterial } from './chain-link.ts';
import { noSubject } from './chain-link.ts';
import { failuresLink, rule } from './chain-rules.ts';
import { messageOf } from './chain-runs.ts';

/** The person who asked for a run that the schedule did not start by itself. */
export function askedLink(audit: readonly AuditRow[], cause: string, at: Instant | null): ChainLink {
  const asked = audit.find(({ action, at: when }) => cause.startsWith(action) && when <= (at ?? when));
  const what = cause.startsWith('trigger') ? 'asked for a run now.' : 'asked for the slots of this range.';
  return personLink({ at: asked?.at ?? at, by: asked?.actor ?? '', note: asked?.note ?? '' }, what);
}

export function pauseLinks(material: ChainMaterial): readonly ChainLink[] {
  const { pausedBy: by = '', note = '', pausedAt: at = null } = material.explanation.detail ?? {};
  return by === 'policy'
    ? ownPauseLinks(material, at)
    : [personLink({ at, by, note }, 'paused the schedule.')];
}

/** The schedule paused itself: the last failure, and the rule. */
export function ownPauseLinks(material: ChainMaterial, at: Instant | null): readonly ChainLink[] {
  const failed = [...material.runs.values()]
    .filter(
      ({ outcome, finishedAt }) =>
        isFailure(outcome) && finishedAt !== null && finishedAt <= (at ?? finishedAt),
    )
    .reduce<RunRow | undefined>(
      (last, run) => ((last?.finishedAt ?? 0) < (run.finishedAt ?? 0) ? run : last),
      undefined,
    );
  const last: readonly ChainLink[] =
    failed === undefined
      ? []
      : [
          {
            type: 'run',
            at: timeJson(failed.finishedAt),
            text: `Run ${failed.id} ${failed.outcome === 'timedOut' ? 'timed out' : 'failed'}.`,
            detail: messageOf(failed),
            subject: { type: 'run', id: failed.id },
          },
        ];
  return [...last, { ...failuresLink(material), at: timeJson(at) }];
}

function isFailure(outcome: RunRow['outcome']): boolean {
  return outcome === 'failed' || outcome === 'timedOut';
}

export function resumeLinks({ resumed }: ChainMaterial): readonly ChainLink[] {
  return resumed === undefined ? [] : [personLink(resumed, 'resumed it without running its slots.')];
}

export function creationLinks({ versions }: ChainMaterial): readonly ChainLink[] {
  const [first] = versions;
  return first === undefined ? [] : [personLink(first, 'created the schedule.')];
}

export function endLinks({ audit }: ChainMaterial): readonly ChainLink[] {
  const end = audit.find(({ action }) => action === 'delete');
  if (end === undefined) return [rule('It had no work left for a while.', 'idleClose')];
  return [personLink({ at: end.at, by: end.actor, note: end.note }, 'deleted the schedule.')];
}

/** The change that took the slot away: it was committed with the verdict. */
export function personLinks({ explanation, audit, versions }: ChainMaterial): readonly ChainLink[] {
  const change = audit.find(({ at }) => at === explanation.decidedAt);
  if (change === undefined) return [];
  const { at, actor: by, note, action } = change;
  const link = personLink({ at, by, note }, didWords[action] ?? 'changed the schedule.');
  const changed = versions.find((version) => version.at === at)?.changes.map(({ path }) => path) ?? [];
  return [
    {
      ...link,
      detail: [changed.slice(0, mostNamed).join(', '), note].filter((part) => part !== '').join(': '),
    },
  ];
}

const didWords: Readonly<Record<string, string>> = {
  delete: 'deleted the schedule.',
  cancelBackfill: 'ended the backfill.',
};
/** The most fields of a change that a line of detail names. */
const mostNamed = 4;

export function personLink({ at, by, note }: Act, did: string): ChainLink {
  const name = by === '' ? 'A person' : by;
  const subject = by === '' ? noSubject : ({ type: 'person', name: by } as const);
  return { type: 'person', at: timeJson(at), text: `${name} ${did}`, detail: note, subject };
}

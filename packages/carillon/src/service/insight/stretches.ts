/**
 * What was true for a while, or changed, on the timeline of a schedule: pauses, edits, times without a living node, clock
 * changes, new zone tables, and times that the spec rules out.
 */

import { redactAction } from '../../action/redaction.ts';
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { auditTarget } from '../../scheduler/audit.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { DefinitionVersion, Silence } from '../../scheduler/explain.ts';
import type { DstEffect } from '../../spec/dst-report.ts';
import { clockZones, dstReport } from '../../spec/dst-report.ts';
import { timeZoneVersion } from '../../spec/index.ts';
import type { AuditRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { FieldChange } from './field-diff.ts';
import { fieldChanges } from './field-diff.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf, versionSpans } from './history-material.ts';
import type { RuledOut, RuledOutAnswer } from './ruled-out.ts';
import { ruledOutIn } from './ruled-out.ts';
import type { WrittenVersion } from './setting-origin.ts';

export interface PauseStretch {
  readonly from: string;
  /** When it ended; null while it goes on. */
  readonly to: string | null;
  readonly by: string;
  readonly note: string;
  /** When it ends by itself; null: when a person ends it. */
  readonly until: string | null;
  /** Who ended it; null while it goes on, or when the audit does not reach back that far. */
  readonly endedBy: string | null;
}

export interface VersionMark {
  /** The version of the schedule's row that wrote it. */
  readonly stamp: number;
  /** Its number among the stored versions, from 1. */
  readonly number: number;
  readonly at: string;
  /** Who wrote it, through which door, and why; empty when the audit does not reach back that far. */
  readonly by: string;
  readonly door: string;
  readonly note: string;
  /** The fields that differ from the version before; empty for the first. */
  readonly changes: readonly FieldChange[];
}

/** A version that changed something, and who wrote it. */
export interface VersionRef {
  readonly stamp: number;
  /** Its number among the stored versions, from 1. */
  readonly number: number;
  readonly at: string;
  /** Empty when the audit does not reach back that far. */
  readonly by: string;
}

export interface ClockChangeMark {
  readonly at: string;
  readonly zone: string;
  /** The minutes by which the clock changes; negative when it is set back. */
  readonly byMinutes: number;
  /** What happens to the times of this schedule; empty when none is touched. */
  readonly effects: readonly {
    readonly effect: DstEffect;
    readonly local: string;
    readonly count: number;
    readonly runsAtLocal: readonly string[];
  }[];
}

export interface Stretches {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly createdAt: string;
  readonly closedAt: string | null;
  /** The oldest slot that the ledger still has; null when it has none. */
  readonly ledgerFrom: string | null;
  /** The last time since the creation whose slot the ledger no longer has; null when it has all of them. */
  readonly forgottenUntil: string | null;
  readonly pauses: readonly PauseStretch[];
  readonly versions: readonly VersionMark[];
  /** The version in force, for any range; a pause does not make one. */
  readonly version: VersionRef;
  /** The fields that were changed after the creation, each with the last version that did, for any range. */
  readonly origins: readonly (VersionRef & { readonly path: string })[];
  /** When no node was alive. */
  readonly silences: readonly { readonly from: string; readonly to: string }[];
  readonly clockChanges: readonly ClockChangeMark[];
  /** Newer zone tables: those that a version was written with, and those in use now. */
  readonly zoneTables: readonly { readonly at: string; readonly before: string; readonly after: string }[];
  /** Neighbouring times that the same part of the spec rules out. */
  readonly ruledOut: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly verdict: RuledOutAnswer;
  }[];
  /** Whether something was left out because there is too much of it. */
  readonly truncated: boolean;
}

/** The changes of a schedule that are read to learn who made a version. */
const mostAudit = 500;
const mostRuledOut = 2000;
/** Clock changes are looked for in at most this long a range: a zone has about two a year. */
const mostClockChanges = 100;

export async function readStretches(
  store: Store,
  history: HistoryOf,
  span: Span,
  silences: readonly Silence[],
): Promise<Stretches> {
  const { row, now } = history;
  const { incarnation, createdAt, closedAt } = row;
  const { namespace, id } = row.key;
  const [oldest, audit] = await Promise.all([
    store.slots({ incarnation, limit: 1 }),
    store.audit({ namespace, target: auditTarget(id), limit: mostAudit }),
  ]);
  const touches = ({ from, to }: Span) => from <= span.to && to >= span.from;
  const ruledOut = await ruledOutStretches(history, span);
  const first = oldest.items[0];
  const forgottenUntil = await lastForgotten(history, first?.nominal);
  const written = writtenVersions(history, audit.items);
  return {
    from: timeJson(span.from),
    to: timeJson(span.to),
    now: timeJson(now),
    createdAt: timeJson(createdAt),
    closedAt: timeJson(closedAt),
    ledgerFrom: first === undefined ? null : timeJson(first.nominal),
    forgottenUntil: timeJson(forgottenUntil),
    pauses: pausesOf(history, audit.items)
      // One that goes on reaches to its end, or has none.
      .filter(({ from, to, until }) =>
        touches({ from, to: to ?? until ?? (Number.POSITIVE_INFINITY as Instant) }),
      )
      .map(({ from, to, until, ...rest }) => ({
        ...rest,
        from: timeJson(from),
        to: timeJson(to),
        until: timeJson(until),
      })),
    version: refOf(written.at(-1) as WrittenVersion),
    origins: originsOf(written),
    versions: written
      .filter(({ at }) => at >= span.from && at <= span.to)
      .map(({ at, ...rest }) => ({ ...rest, at: timeJson(at) })),
    silences: silences.filter(touches).map(({ from, to }) => ({ from: timeJson(from), to: timeJson(to) })),
    clockChanges: clockChangesOf(currentOf(history).definition, span),
    zoneTables: zoneTablesOf(history)
      .filter(({ at }) => at >= span.from && at <= span.to)
      .map(({ at, ...rest }) => ({ ...rest, at: timeJson(at) })),
    ruledOut: ruledOut.stretches,
    truncated: ruledOut.truncated || audit.next !== null,
  };
}

/** The last time before the oldest row that the spec of then names: its slot had a verdict, and the row was removed. */
async function lastForgotten(
  { row, versions, cursor }: HistoryOf,
  oldest: Instant | undefined,
): Promise<Instant | null> {
  const undecided = addTime(cursor, 1);
  let before = oldest === undefined || oldest > undecided ? undecided : oldest;
  const work = new SlicedWork();
  for (const { at, definition } of versions.toReversed()) {
    if (at >= before) continue;
    const compiled = compiledOf(definition);
    const found = await work.finish((budget) => {
      const result = compiled.searchBefore(before, { seed: definition.seed, budget });
      if (result.kind === 'unfinished') before = result.reached;
      return result;
    });
    if (found.kind === 'unfinished') return null;
    if (found.kind === 'found' && found.nominal > Math.max(at, row.createdAt)) return found.nominal;
    before = at;
  }
  return null;
}

/** A pause begins with the version that has it and ends with the next one that has none. */
function pausesOf({ versions, row }: HistoryOf, audit: readonly AuditRow[]) {
  const pauses: {
    from: Instant;
    to: Instant | null;
    by: string;
    note: string;
    until: Instant | null;
    endedBy: string | null;
  }[] = [];
  for (const { at, definition } of versions) {
    const { paused } = definition;
    const open = pauses.at(-1);
    const isOpen = open !== undefined && open.to === null;
    if (paused === null) {
      if (isOpen) Object.assign(open, { to: at, endedBy: authorOf(audit, at)?.actor ?? null });
    } else if (isOpen) {
      Object.assign(open, { by: paused.by, note: paused.note, until: paused.until ?? null });
    } else {
      const { at: from, by, note, until = null } = paused;
      pauses.push({ from, to: null, by, note, until, endedBy: null });
    }
  }
  const last = pauses.at(-1);
  if (last !== undefined && last.to === null && row.closedAt !== null) last.to = row.closedAt;
  return pauses;
}

/** The versions that changed more than the pause. */
export function writtenVersions({ versions }: HistoryOf, audit: readonly AuditRow[]) {
  return versions.flatMap(({ stamp, at, definition }, index) => {
    const before = versions[index - 1];
    const changes = before === undefined ? [] : definitionChanges(before.definition, definition);
    if (before !== undefined && changes.length === 0) return [];
    const { actor = '', door = '', note = '' } = authorOf(audit, at) ?? {};
    return [{ stamp, number: index + 1, at, by: actor, door, note, changes }];
  });
}

function originsOf(written: readonly WrittenVersion[]): Stretches['origins'] {
  const last = new Map<string, VersionRef>();
  for (const version of written) for (const { path } of version.changes) last.set(path, refOf(version));
  return [...last].map(([path, ref]) => ({ path, ...ref }));
}

function refOf({ stamp, number, at, by }: WrittenVersion): VersionRef {
  return { stamp, number, at: timeJson(at), by };
}

/** The fields that a person changed; a pause and its note are not edits. */
export function definitionChanges(
  before: ScheduleDefinition,
  after: ScheduleDefinition,
): readonly FieldChange[] {
  const { paused: _, note: __, timeZoneVersion: ___, ...one } = before;
  const { paused: ____, note: _____, timeZoneVersion: ______, ...other } = after;
  return fieldChanges(
    { ...one, action: redactAction(before.action) },
    { ...other, action: redactAction(after.action) },
  );
}

/** The change that was committed with a version: both have the time of the same transaction. */
export function authorOf(audit: readonly AuditRow[], at: Instant): AuditRow | undefined {
  return audit.find((entry) => entry.at === at && entry.after !== null);
}

function zoneTablesOf({ versions, now }: HistoryOf) {
  const found: { at: Instant; before: string; after: string }[] = [];
  const note = (at: Instant, before: string, after: string) => {
    if (before !== after) found.push({ at, before, after });
  };
  for (const [index, { at, definition }] of versions.entries()) {
    const before = versions[index - 1] as DefinitionVersion | undefined;
    if (before !== undefined) note(at, before.definition.timeZoneVersion, definition.timeZoneVersion);
  }
  const last = versions.at(-1);
  if (last !== undefined) note(now, last.definition.timeZoneVersion, timeZoneVersion());
  return found;
}

function clockChangesOf({ spec, seed }: ScheduleDefinition, { from, to }: Span): readonly ClockChangeMark[] {
  const marks: ClockChangeMark[] = [];
  const rows = dstReport(spec, { from, to, seed });
  for (const zone of clockZones(spec)) {
    let at = zone.nextTransition(Math.floor(from / 1000) - 1);
    for (; at <= to / 1000 && marks.length < mostClockChanges; at = zone.nextTransition(at)) {
      const byMinutes = (zone.offsetAt(at) - zone.offsetAt(at - 1)) / 60;
      if (byMinutes === 0) continue;
      const effects = rows
        .filter((row) => row.zone === zone.name && row.at === at * 1000)
        .map(({ effect, local, count, runsAtLocal }) => ({ effect, local, count, runsAtLocal }));
      marks.push({ at: timeJson((at * 1000) as Instant), zone: zone.name, byMinutes, effects });
    }
  }
  return marks.sort((a, b) => (a.at < b.at ? -1 : 1));
}

async function ruledOutStretches(history: HistoryOf, span: Span) {
  const work = new SlicedWork();
  const times: RuledOut[] = [];
  let truncated = false;
  const from = Math.max(span.from, history.row.createdAt) as Instant;
  for (const part of versionSpans(history, { from, to: span.to })) {
    const found = await ruledOutIn(part.version.definition, part, mostRuledOut - times.length, work);
    times.push(...found.times);
    truncated ||= found.truncated;
  }
  const stretches: { from: string; to: string; count: number; verdict: RuledOutAnswer }[] = [];
  for (const { at, verdict, continues } of times) {
    const open = stretches.at(-1);
    if (continues && open !== undefined) Object.assign(open, { to: timeJson(at), count: open.count + 1 });
    else stretches.push({ from: timeJson(at), to: timeJson(at), count: 1, verdict });
  }
  return { stretches, truncated };
}

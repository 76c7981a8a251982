/**
 * The pauses that are over and the specs that are no longer in force, as rows of the audit tell them: their definitions before
 * and after a change say who paused, when and why, and which spec was in force. Bounded: the oldest are forgotten first.
 */
import type { Instant } from '../../base/time.ts';
import { auditTarget } from '../../scheduler/audit.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { AuditRow } from '../../store/records.ts';
import { specKey } from './fleet-specs.ts';

export interface PastPause {
  readonly id: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly by: string;
  readonly note: string;
}

/** A spec that was in force. It is kept as text, because an answer needs few of them. */
export interface PastSpec {
  /** Equal for specs with equal times. */
  readonly key: string;
  readonly text: string;
  readonly seed: string;
  readonly zone: string | undefined;
  readonly hasExclusions: boolean;
}

/** The end of a spec. */
export interface SpecChange {
  readonly id: string;
  readonly at: Instant;
  readonly before: PastSpec;
  /** The zone of the spec that came instead; a later spec without exclusions may have another. */
  readonly zoneAfter: string | undefined;
}

export interface KeptBounds {
  /** Pauses that are kept, and changes of specs. */
  readonly kept: number;
  /** The characters of all different specs that are kept. */
  readonly text: number;
}

const schedules = auditTarget('');

export class KnownChanges {
  /** The pauses, by schedule and beginning. */
  #pauses = new Map<string, PastPause>();
  /** The changes, by schedule and time. Of changes in one millisecond the first counts, which is read last. */
  #changes = new Map<string, SpecChange>();
  /** The specs, by key, so that a bulk edit keeps one spec. */
  #specs = new Map<string, PastSpec>();
  #forgotten = Number.NEGATIVE_INFINITY;

  /** Pauses and specs that ended up to this time may be missing. */
  get forgotten(): number {
    return this.#forgotten;
  }

  pausesSince(from: Instant): readonly PastPause[] {
    return [...this.#pauses.values()].filter(({ to }) => to >= from);
  }

  /** The changes by schedule, the newest first. A change is left out when neither spec has exclusions. */
  changesSince(from: Instant): ReadonlyMap<string, readonly SpecChange[]> {
    const found = new Map<string, SpecChange[]>();
    for (const change of this.#changes.values()) {
      if (change.at < from) continue;
      const own = found.get(change.id);
      if (own === undefined) found.set(change.id, [change]);
      else own.push(change);
    }
    for (const own of found.values()) own.sort((a, b) => b.at - a.at);
    return found;
  }

  /** Rows come from the newest to the oldest, and may come again. */
  note({ target, at, before, after }: AuditRow): void {
    if (before === null || after === null || !target.startsWith(schedules)) return;
    // Most changes end no pause and are about no exclusion; checking the text saves reading both definitions.
    const mayResume = before.includes('"paused":{') && after.includes('"paused":null');
    const mayExclude = before.includes('"exclude":{') || after.includes('"exclude":{');
    if (!mayResume && !mayExclude) return;
    // Written by `auditChange`.
    const [old, fresh] = [JSON.parse(before) as Audited, JSON.parse(after) as Audited];
    const id = target.slice(schedules.length);
    if (old.paused !== null && fresh.paused === null) {
      const { at: from, by, note } = old.paused;
      this.#pauses.set(`${from} ${id}`, { id, from, to: at, by, note });
    }
    const isAboutExclusions = old.spec.exclude !== undefined || fresh.spec.exclude !== undefined;
    if (isAboutExclusions && specKey(old) !== specKey(fresh)) {
      this.#changes.set(`${at} ${id}`, { id, at, before: this.#spec(old), zoneAfter: fresh.spec.zone });
    }
  }

  forgetOldest({ kept, text }: KeptBounds): void {
    if (this.#pauses.size > kept) {
      const pauses = [...this.#pauses].sort(([, a], [, b]) => b.to - a.to);
      this.#forget(pauses[kept]?.[1].to);
      this.#pauses = new Map(pauses.slice(0, kept));
    }
    let size = 0;
    for (const spec of this.#specs.values()) size += spec.text.length;
    if (this.#changes.size <= kept && size <= text) return;
    const changes = [...this.#changes].sort(([, a], [, b]) => b.at - a.at);
    const specs = new Map<string, PastSpec>();
    let room = text;
    const end = changes.findIndex(([, { before }], place) => {
      if (!specs.has(before.key)) room -= before.text.length;
      if (place >= kept || room < 0) return true;
      specs.set(before.key, before);
      return false;
    });
    this.#specs = specs;
    if (end < 0) return;
    this.#forget(changes[end]?.[1].at);
    this.#changes = new Map(changes.slice(0, end));
  }

  #spec(old: Audited): PastSpec {
    const key = specKey(old);
    const known = this.#specs.get(key);
    if (known !== undefined) return known;
    const { spec, seed } = old;
    const hasExclusions = spec.exclude !== undefined;
    const fresh = { key, text: JSON.stringify(spec), seed, zone: spec.zone, hasExclusions };
    this.#specs.set(key, fresh);
    return fresh;
  }

  #forget(at = Number.NEGATIVE_INFINITY): void {
    this.#forgotten = Math.max(this.#forgotten, at);
  }
}

type Audited = Pick<ScheduleDefinition, 'spec' | 'seed' | 'paused'>;

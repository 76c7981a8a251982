/** The spec of a request, applied to the stored one. */
import type { ScheduleDefinition } from 'carillon/internal/service';
import { writtenBack } from 'carillon/internal/service';
import type { ScheduleSpec } from 'carillon/spec';
import { base64 } from './fields.ts';
import { nativeSpec } from './native-spec.ts';
import { keptBytes } from './origin.ts';
import type { Spec } from './protocol.ts';
import { comparableSpec, type ReadSpec, readSpec } from './spec-message.ts';
import { inexpressibleTimes, isSameSpec } from './write-back.ts';

export interface SpecOver {
  readonly value: ScheduleSpec;
  /** The client's bytes for this door; undefined when the stored value came through another door. */
  readonly kept: string | undefined;
}

export class SentSpec {
  readonly #given: Spec;
  readonly #comparable: object;
  readonly #texts: readonly string[];
  #read: ReadSpec | undefined;

  constructor(given: Spec | null | undefined) {
    this.#given = given ?? {};
    // Computed now, because reading changes the message and a transition may run again.
    this.#comparable = comparableSpec(this.#given);
    this.#texts = [...(this.#given.cronString ?? [])];
  }

  over(before: ScheduleDefinition | undefined): SpecOver {
    if (before === undefined) return this.#replacing(before);
    const said = keptBytes(before, 'spec');
    if (said !== undefined) {
      const replacing = this.#replacing(before);
      // Compares bytes, because a newer client may have changed a field that is unknown to this version.
      return replacing.kept === base64(said) ? { ...replacing, value: before.spec } : replacing;
    }
    const shown = nativeSpec(before.spec, before.seed);
    return writtenBack<SpecOver>({
      name: 'spec',
      stored: { value: before.spec, kept: undefined },
      isUnchanged: isSameSpec({ comparable: this.#comparable, texts: this.#texts }, shown),
      inexpressible: inexpressibleTimes(before, shown),
      replacement: () => this.#replacing(before),
    });
  }

  /** Temporal has no rule for clock changes, so the schedule keeps its own. */
  #replacing(before: ScheduleDefinition | undefined): SpecOver {
    this.#read ??= readSpec(this.#given);
    const { spec, message } = this.#read;
    const kept = base64(message);
    if (before === undefined) return { value: spec, kept };
    const { dst: _, ...rest } = spec;
    const { dst } = before.spec;
    return { value: dst === undefined ? rest : { ...rest, dst }, kept };
  }
}

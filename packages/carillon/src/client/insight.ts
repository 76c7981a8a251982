/** What pages read besides schedules and runs themselves: counts, timelines, reasons as data, series, load. */

import type { Page, PageOptions, ScheduleFilters, TimeRange } from '../service/api.ts';
import type { AttentionKind } from '../service/insight/attention.ts';
import type { SlotBins } from '../service/insight/bins.ts';
import type { ClockChanges } from '../service/insight/clock-changes.ts';
import type { Days } from '../service/insight/days.ts';
import type { ScheduleCounts, ScheduleSort } from '../service/insight/fleet-list.ts';
import type { FullExplanation } from '../service/insight/full-explanation.ts';
import type { AttentionNeeds, ListedSchedule } from '../service/insight/insight.ts';
import type { Load } from '../service/insight/load.ts';
import type { Series } from '../service/insight/series.ts';
import type { Stretches } from '../service/insight/stretches.ts';
import type { Strip } from '../service/insight/strip.ts';
import type { Timeline } from '../service/insight/timeline.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface CountFilters extends Omit<ScheduleFilters, 'include' | 'includeClosed'> {
  /** Only schedules that need a person for this reason; `any`: for any reason but a pause. */
  readonly attention?: AttentionKind | 'any';
}

/** Chooses schedules by what was written into them. */
export type PartFilters = Pick<ScheduleFilters, 'tag' | 'owner' | 'queue' | 'name' | 'text' | 'prefix'>;

export interface FleetFilters extends CountFilters, PageOptions {
  /** Default `attention`: what needs a person first. */
  readonly sort?: ScheduleSort;
  /** Whether each schedule comes with its last 20 slots. Default false. */
  readonly strip?: boolean;
}

export interface LoadOptions {
  readonly bin?: string;
  readonly zone?: string;
  /** Counts as if the schedules that start at this moment had a jitter. Nothing is changed. */
  readonly spreadAt?: InstantInput;
  /** That jitter in milliseconds. Default 300,000. */
  readonly spreadMs?: number;
}

export class InsightClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Open schedules, each with the reason why it needs a person. */
  async schedules(filters: FleetFilters = {}, options: CallOptions = {}): Promise<Page<ListedSchedule>> {
    const query = { sort: 'attention', ...filters };
    return await this.#transport.call('GET', '/schedules', { ...options, query });
  }

  /** How many schedules are in each state. */
  async counts(filters: CountFilters = {}, options: CallOptions = {}): Promise<ScheduleCounts> {
    return await this.#transport.call('GET', '/schedules:counts', { ...options, query: { ...filters } });
  }

  /** What needs a person, grouped by what the schedules probably have in common, the worst first. */
  async needs(options: CallOptions = {}): Promise<AttentionNeeds> {
    return await this.#transport.call('GET', '/schedules:needs', options);
  }

  /** The last 20 slots of a schedule. */
  async strip(id: string, options: CallOptions = {}): Promise<Strip> {
    return await this.#transport.call('GET', `${pathOf(id)}/strip`, options);
  }

  /** Slots of a range, past and coming, with their runs. */
  async timeline(
    id: string,
    range: TimeRange & { readonly limit?: number },
    options: CallOptions = {},
  ): Promise<Timeline> {
    return await this.#transport.call('GET', `${pathOf(id)}/timeline`, { ...options, query: { ...range } });
  }

  /** Slots of a range counted by bins, for example of `'6h'`. */
  async bins(
    id: string,
    range: TimeRange & { readonly bin: string },
    options: CallOptions = {},
  ): Promise<SlotBins> {
    return await this.#transport.call('GET', `${pathOf(id)}/bins`, { ...options, query: { ...range } });
  }

  /** Pauses, edits, times without a node, clock changes and exclusions of a range. */
  async stretches(id: string, range: TimeRange, options: CallOptions = {}): Promise<Stretches> {
    return await this.#transport.call('GET', `${pathOf(id)}/stretches`, { ...options, query: { ...range } });
  }

  /** Why the schedule did, or did not, run at that time, as data: one explanation per cause, the schedule's own first. */
  async explain(
    id: string,
    at: InstantInput,
    options: CallOptions = {},
  ): Promise<readonly FullExplanation[]> {
    const request = { ...options, query: { at } };
    const path = `${pathOf(id)}/explanation`;
    return (await this.#transport.call<{ readonly items: readonly FullExplanation[] }>('GET', path, request))
      .items;
  }

  /** Verdicts, lateness and results of the whole namespace over time. */
  async series(range: TimeRange & { readonly bin?: string }, options: CallOptions = {}): Promise<Series> {
    return await this.#transport.call('GET', '/series', { ...options, query: { ...range } });
  }

  /** How many starts the coming time brings, over all schedules or those that match. */
  async load(range: TimeRange & PartFilters & LoadOptions, options: CallOptions = {}): Promise<Load> {
    return await this.#transport.call('GET', '/load', { ...options, query: { ...range } });
  }

  /** Which days exclusions and pauses keep schedules from running; past days by the definitions in force then. */
  async days(
    range: TimeRange & PartFilters & { readonly zone?: string },
    options: CallOptions = {},
  ): Promise<Days> {
    return await this.#transport.call('GET', '/days', { ...options, query: { ...range } });
  }

  /** Clock changes of all zones in use. */
  async clockChanges(range: TimeRange & PartFilters, options: CallOptions = {}): Promise<ClockChanges> {
    return await this.#transport.call('GET', '/clock-changes', { ...options, query: { ...range } });
  }
}

function pathOf(id: string): string {
  return `/schedules/${encodeURIComponent(id)}`;
}

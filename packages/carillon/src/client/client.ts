/** The typed client of a Carillon server's REST API. It needs nothing but `fetch`. */
import { AuditClient } from './audit.ts';
import { BackupsClient } from './backups.ts';
import { DryRunClient } from './dry-run.ts';
import { HostsClient } from './hosts.ts';
import { InsightClient } from './insight.ts';
import { RunsClient } from './runs.ts';
import { SchedulesClient } from './schedules.ts';
import type { KeyRole } from './settings.ts';
import { SettingsClient } from './settings.ts';
import type { ClientOptions } from './transport.ts';
import { Transport } from './transport.ts';
import { ViewsClient } from './views.ts';
import { WorkersClient } from './workers.ts';

export interface About {
  readonly version: string;
  readonly store: string;
  /** The time of the server's clock. */
  readonly now: string;
  /** What the caller may do. */
  readonly role: KeyRole;
}

/** A stretch of time in which no node was alive. */
export interface SilenceInfo {
  readonly from: string;
  readonly to: string;
}

/** A process that works on the store. */
export interface NodeInfo {
  readonly id: string;
  readonly name: string;
  /** `silent`: the node has not reported for a while. */
  readonly state: 'alive' | 'silent';
  readonly version: string;
  readonly startedAt: string;
  readonly seenAt: string;
  /** How long the earliest due schedule has been waiting, in ms. */
  readonly lagMs: number;
  /** The node's clock minus the store's clock, in ms. */
  readonly skewMs: number;
  readonly timeZoneVersion: string;
  readonly queues: readonly string[];
  /** The handlers of each queue; null: it takes every run of the queue. */
  readonly handlers: Readonly<Record<string, readonly string[] | null>>;
  readonly activeRuns: number;
}

/**
 * A client of one namespace of a Carillon server.
 *
 * ```ts
 * import { CarillonClient } from 'carillon/client';
 *
 * const carillon = new CarillonClient({ url: 'http://127.0.0.1:8080' });
 * await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });
 * const reason = await carillon.schedules.explain('nightly', '2026-03-29T00:30:00Z');
 * ```
 */
export class CarillonClient {
  /** The schedules of the namespace. */
  readonly schedules: SchedulesClient;
  /** The runs of the namespace. */
  readonly runs: RunsClient;
  /** The workers that are known to the server. */
  readonly workers: WorkersClient;
  /** Workflows on hosts. */
  readonly hosts: HostsClient;
  /** What people and programs changed. */
  readonly audit: AuditClient;
  /** Copies of a SQLite store. */
  readonly backups: BackupsClient;
  /** What pages read: counts, timelines, reasons as data, series, load. */
  readonly insight: InsightClient;
  /** Dry runs of changes of all kinds. */
  readonly dryRun: DryRunClient;
  /** Named queries of the namespace. */
  readonly views: ViewsClient;
  /** What is in force on the server, its namespaces and its API keys. */
  readonly settings: SettingsClient;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.schedules = new SchedulesClient(this.#transport);
    this.workers = new WorkersClient(this.#transport);
    this.runs = new RunsClient(this.#transport);
    this.hosts = new HostsClient(this.#transport);
    this.audit = new AuditClient(this.#transport);
    this.backups = new BackupsClient(this.#transport);
    this.insight = new InsightClient(this.#transport);
    this.dryRun = new DryRunClient(this.#transport);
    this.views = new ViewsClient(this.#transport);
    this.settings = new SettingsClient(this.#transport);
  }

  /** The processes that work on the same store as the server. */
  async nodes(): Promise<readonly NodeInfo[]> {
    return (await this.#nodes()).items;
  }

  /** The stretches of time in which no node was alive, oldest first. */
  async silences(): Promise<readonly SilenceInfo[]> {
    return (await this.#nodes()).silences;
  }

  async #nodes(): Promise<{
    readonly items: readonly NodeInfo[];
    readonly silences: readonly SilenceInfo[];
  }> {
    return await this.#transport.call('GET', '/nodes');
  }

  /** The version and the store of the server, and what the caller may do. */
  async about(): Promise<About> {
    return await this.#transport.call('GET', '/about');
  }
}

/**
 * Runs schedules in virtual time: a year takes less than a second, with the real engine, the real policies and your
 * real handlers. Carillon's own tests use it with several nodes and injected faults.
 */
import { parseDuration } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day } from '../base/time.ts';
import type { CarillonParts } from '../embed/carillon.ts';
import { Carillon } from '../embed/carillon.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant } from '../service/schedule-input.ts';
import type { NodeSetting } from './cluster.ts';
import { Cluster } from './cluster.ts';
import type { Faults } from './faulty-store.ts';

export interface CarillonWorldOptions {
  /** Registers your handlers on a node that has just been created. */
  readonly setup?: (carillon: Carillon, node: NodeSetting) => void;
  /** The first instant of virtual time. Default 2026-01-01T00:00:00Z. */
  readonly start?: InstantInput;
  /** The seed of all random decisions. Default 1. */
  readonly seed?: number;
  readonly nodes?: number;
  readonly faults?: Partial<Faults>;
  readonly retention?: CarillonParts['retention'];
  readonly onTrouble?: CarillonParts['onTrouble'];
  /**
   * The tuning of the nodes. Default: as in production, except that a single node without faults does not poll,
   * because every notification arrives.
   */
  readonly tuning?: CarillonParts['tuning'];
  /**
   * Real milliseconds that `advance` waits, at each step, for handlers that do real input and output. Default 0:
   * handlers that only compute or wait for virtual time need no real time.
   */
  readonly patienceMs?: number;
}

/** Polling every few seconds, as in production, would be most of the work of a simulated year. */
const patientTuning = { engine: { longestSleep: day }, retentionPauseMs: day };
/** The retention interval when the options give none: once a month keeps memory bounded. */
const forgetfulPause = 30 * day;

export class CarillonWorld extends Cluster<Carillon> {
  constructor(options: CarillonWorldOptions = {}) {
    const {
      setup,
      start,
      seed = 1,
      nodes,
      faults,
      retention,
      onTrouble,
      patienceMs = 0,
      tuning = (nodes ?? 1) === 1 && faults === undefined
        ? { ...patientTuning, ...(retention === undefined ? { retentionPauseMs: forgetfulPause } : {}) }
        : {},
    } = options;
    super({
      seed,
      patienceMs,
      busy: (carillon) => carillon.activeRuns > 0,
      ...(nodes === undefined ? {} : { nodes }),
      ...(faults === undefined ? {} : { faults }),
      ...(start === undefined ? {} : { start: readInstant(start) }),
      build: (node) => {
        const { store, clock, steadyClock, newId, name, aroundEffect } = node;
        const carillon = new Carillon({
          store,
          clock,
          steadyClock,
          newId,
          name,
          aroundEffect,
          tuning,
          ...(retention === undefined ? {} : { retention }),
          ...(onTrouble === undefined ? {} : { onTrouble }),
        });
        setup?.(carillon, node);
        return carillon;
      },
    });
  }

  /** Creates a world and starts its nodes. */
  static async start(options: CarillonWorldOptions = {}): Promise<CarillonWorld> {
    return await new CarillonWorld(options).start();
  }

  /** The Carillon of a running node. */
  carillon(index = 0): Carillon {
    return this.body(index);
  }

  /** Advances virtual time to `at`. */
  async advanceUntil(at: InstantInput): Promise<void> {
    await this.advanceTo(readInstant(at));
  }

  /** Advances virtual time by milliseconds, or by a duration such as `'90d'`. */
  override async advance(by: number | string): Promise<void> {
    const length = typeof by === 'number' ? by : parseDuration(by);
    if (length === undefined || !(length >= 0)) {
      throw new TypeError(`'${by}' is not a duration; write e.g. '15m' or '365d'`);
    }
    await this.advanceTo(addTime(this.now, length) as Instant);
  }
}

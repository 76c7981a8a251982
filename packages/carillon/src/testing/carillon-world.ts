/**
 * Your schedules in virtual time: a year of them in less than a second, with the real engine, the real policies and your
 * real handlers. With several nodes and faults it is also how we test Carillon itself.
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
  /** Registers your handlers on a node that has just come to life. */
  readonly setup?: (carillon: Carillon, node: NodeSetting) => void;
  /** Default 2026-01-01T00:00:00Z. */
  readonly start?: InstantInput;
  /** Decides everything random. Default 1. */
  readonly seed?: number;
  readonly nodes?: number;
  readonly faults?: Partial<Faults>;
  readonly retention?: CarillonParts['retention'];
  readonly onTrouble?: CarillonParts['onTrouble'];
  /**
   * Default: as in real life; in a world of one node without faults nothing polls, because every notification arrives.
   */
  readonly tuning?: CarillonParts['tuning'];
  /**
   * Real milliseconds that `advance` waits, at each step, for handlers that do real input and output. Default 0: handlers
   * that compute, or wait for virtual time, are done without.
   */
  readonly patienceMs?: number;
}

/** Looking every few seconds, as in real life, would be most of the work of a simulated year. */
const patientTuning = { engine: { longestSleep: day }, retentionPauseMs: day };
/** Without a word about retention, a look a month keeps memory bounded. */
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

  /** A world that is up and running. */
  static async start(options: CarillonWorldOptions = {}): Promise<CarillonWorld> {
    return await new CarillonWorld(options).start();
  }

  /** The Carillon of a living node. */
  carillon(index = 0): Carillon {
    return this.body(index);
  }

  /** Lets time pass until then. */
  async advanceUntil(at: InstantInput): Promise<void> {
    await this.advanceTo(readInstant(at));
  }

  /** Lets time pass: milliseconds, or `'90d'`. */
  override async advance(by: number | string): Promise<void> {
    const length = typeof by === 'number' ? by : parseDuration(by);
    if (length === undefined || !(length >= 0)) {
      throw new TypeError(`'${by}' is not a duration; write e.g. '15m' or '365d'`);
    }
    await this.advanceTo(addTime(this.now, length) as Instant);
  }
}

/** A cluster of engines only, for tests of archetypes that are built on `carillon/engine`. */
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { Engine } from '../engine/engine.ts';
import type { Library } from '../engine/library.ts';
import type { Observer } from '../engine/observer.ts';
import type { EngineTuning } from '../engine/tuning.ts';
import type { NodeSetting } from './cluster.ts';
import { Cluster } from './cluster.ts';
import type { Faults } from './faulty-store.ts';

export interface WorldOptions {
  readonly seed: number;
  /** Builds the libraries again after each restart of a node, so that tasks may hold that node's dependencies. */
  readonly libraries: (node: NodeSetting) => readonly Library[];
  readonly nodes?: number;
  readonly faults?: Partial<Faults>;
  /** The first instant of virtual time. Default 2026-01-01T00:00:00Z. */
  readonly start?: Instant;
  readonly tuning?: Partial<EngineTuning>;
  readonly observer?: Partial<Observer>;
}

export class World extends Cluster<Engine> {
  constructor(options: WorldOptions) {
    const { libraries, tuning, observer, ...cluster } = options;
    super({
      ...cluster,
      build: (node) =>
        new Engine({
          store: node.store,
          clock: node.clock,
          newId: node.newId,
          aroundEffect: node.aroundEffect,
          libraries: libraries(node),
          ...given({ tuning, observer }),
        }),
    });
  }

  /** The engine of a running node. */
  engine(index = 0): Engine {
    return this.body(index);
  }
}

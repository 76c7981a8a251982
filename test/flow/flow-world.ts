/** Nodes with workflows in virtual time. Scripts are evaluated without a thread, and SIMPLE tasks by handlers of the nodes. */

import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import { Cluster } from '../../packages/carillon/src/testing/cluster.ts';
import type { Faults } from '../../packages/carillon/src/testing/faulty-store.ts';
import type { FlowArchetype, FlowOptions, Flows } from '../../packages/server/src/flow/flow-archetype.ts';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { taskQueue } from '../../packages/server/src/flow/flow-runs.ts';
import type { Script } from '../../packages/server/src/flow/script.ts';
import { until } from '../support/until.ts';

export interface FlowWorldOptions {
  readonly seed?: number;
  readonly nodes?: number;
  readonly faults?: Partial<Faults>;
  readonly http?: FlowOptions['http'];
  readonly runScript?: FlowOptions['runScript'];
  /** Makes the ids; default: from the seed. */
  readonly newId?: () => string;
  /** Waits for real input and output of handlers before time goes on. */
  readonly isPatient?: boolean;
  readonly handler?: (context: RunContext<Record<string, unknown>>) => unknown;
}

const by = { actor: 'test', door: 'test', action: 'register' };

export class FlowWorld extends Cluster<Carillon> {
  readonly archetypes = new Map<Carillon, FlowArchetype>();
  readonly troubles: unknown[] = [];

  constructor(options: FlowWorldOptions = {}) {
    const { seed = 1, nodes = 1, faults, handler = () => ({}), http = {}, runScript = evaluate } = options;
    const bodies: Carillon[] = [];
    super({
      seed,
      nodes,
      busy: (carillon) => carillon.activeRuns > 0,
      ...(options.isPatient === true
        ? {
            patience: () =>
              until(() => bodies.every(({ activeRuns }) => activeRuns === 0)).then(() => undefined),
          }
        : {}),
      ...(faults === undefined ? {} : { faults }),
      ...(options.newId === undefined ? {} : { newId: options.newId }),
      build: ({ store, clock, steadyClock, newId, name, aroundEffect }) => {
        const archetype = flow({ runScript, http });
        const carillon = new Carillon({
          store,
          clock,
          steadyClock,
          newId,
          name,
          aroundEffect,
          archetypes: [archetype],
          onTrouble: (error) => this.troubles.push(error),
        });
        carillon.handle('work', handler, { queue: taskQueue('work') });
        this.archetypes.set(carillon, archetype);
        bodies.push(carillon);
        return carillon;
      },
    });
  }

  flows(node = 0): Flows {
    const carillon = this.body(node);
    return carillon.of(this.archetypes.get(carillon) as FlowArchetype);
  }

  async register(...definitions: Parameters<Flows['definitions']['register']>[1][]): Promise<void> {
    for (const definition of definitions)
      await this.flows().definitions.register('default', definition, { overwrite: true, by });
  }
}

async function evaluate({ script, input }: Script): Promise<unknown> {
  return Function('$', `return eval(${JSON.stringify(script)})`)(input) as unknown;
}

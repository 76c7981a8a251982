/** Stores the workflows of a program: new ones are created, changed ones replaced. */
import type { Engine } from '../../engine/engine.ts';
import { create, newHost, redeploy } from '../../host/deploy.ts';
import type { HostNode } from '../../host/host.ts';
import { isConflict } from '../../store/error.ts';
import type { ExecutionKey } from '../../store/records.ts';
import { audit } from './host-audit.ts';
import { keyOf } from './host-reads.ts';
import type { KnownWorkflow } from './known-workflows.ts';

/** Workflows that one transaction deploys. */
const deployedAtOnce = 100;

const byProgram = { actor: 'program', door: 'deploy' };

export interface DeployOptions {
  readonly engine: Engine;
  readonly newId: () => string;
}

export async function deploy(options: DeployOptions, workflows: readonly KnownWorkflow[]): Promise<void> {
  for (let from = 0; from < workflows.length; from += deployedAtOnce) {
    await deploySome(options, workflows.slice(from, from + deployedAtOnce));
  }
}

async function deploySome(
  { engine, newId }: DeployOptions,
  workflows: readonly KnownWorkflow[],
): Promise<void> {
  const keys = workflows.map(({ namespace, workflow }) => keyOf({ namespace, id: workflow.name }));
  const incarnations = workflows.map(() => newId());
  const work = () =>
    engine.transact({ kind: 'keys', keys }, (batch) => {
      workflows.forEach(({ graph, settings }, place) => {
        const key = keys[place] as ExecutionKey;
        const row = batch.rowOf(key);
        if (row === undefined || row.status === 'closed') {
          const host = batch.create(key, incarnations[place] as string, newHost).root as HostNode;
          create(host, { graph, settings });
          audit(host, byProgram, 'deploy');
          return;
        }
        const host = batch.open(row).root as HostNode;
        if (redeploy(host, { graph, settings })) audit(host, byProgram, 'deploy');
      });
    });
  try {
    await work();
  } catch (error) {
    // Another node created the same workflows in this moment; now they can be read.
    if (!isConflict(error)) throw error;
    await work();
  }
}

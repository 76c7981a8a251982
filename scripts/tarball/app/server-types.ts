// What a TypeScript user of the server package writes.
import {
  type Config,
  type FlowArchetype,
  flow,
  type HttpDoor,
  hashKey,
  mountCarillon,
  newKey,
  readConfig,
  runConfig,
  type Server,
  startServer,
} from '@carillon/server';
import * as commands from '@carillon/server/cli';
import { openCarillon } from 'carillon';

export async function main(): Promise<Server> {
  const workflows: FlowArchetype = flow();
  const carillon = await openCarillon({ store: 'memory:', archetypes: [workflows] });
  const { definitions } = carillon.of(workflows);
  await definitions.find('default', 'orders');
  return await startServer({
    carillon,
    port: 0,
    keys: [{ name: 'ops', role: 'admin', hash: hashKey(newKey()) }],
  });
}

export const others: readonly unknown[] = [commands, mountCarillon, readConfig, runConfig];
export type Others = Config | HttpDoor;

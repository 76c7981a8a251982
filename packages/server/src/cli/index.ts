/** `@carillon/server/cli`: the commands that this package adds to the program `carillon`. */
import type { ServerCommands } from 'carillon/internal/cli';
import { version as serverVersion } from '../server/version.ts';
import * as audit from './audit.ts';
import * as backup from './backup.ts';
import * as calendar from './calendar.ts';
import { declareComplete, declareCompletion } from './completion/completion.ts';
import * as dev from './dev.ts';
import * as host from './host.ts';
import * as key from './key.ts';
import { declareApply, declarePlan, declarePrune } from './manifest.ts';
import * as namespace from './namespace.ts';
import * as nodes from './nodes.ts';
import * as runs from './runs.ts';
import * as schedule from './schedule.ts';
import * as start from './start.ts';
import * as verify from './verify.ts';
import * as view from './view.ts';
import * as why from './why.ts';

export const version: ServerCommands['version'] = serverVersion;

export const commands: ServerCommands['commands'] = {
  dev: dev.declare,
  start: start.declare,
  key: key.declare,
  schedule: schedule.declare,
  why: why.declare,
  calendar: calendar.declare,
  runs: runs.declare,
  run: runs.declareSingle,
  host: host.declare,
  view: view.declare,
  namespace: namespace.declare,
  audit: audit.declare,
  nodes: nodes.declare,
  backup: backup.declare,
  verify: verify.declare,
  plan: declarePlan,
  apply: declareApply,
  prune: declarePrune,
  completion: declareCompletion,
  __complete: declareComplete,
};

/** The YAML parser is loaded only when a manifest is read or written, because most commands do not need it. */
export const yaml: ServerCommands['yaml'] = async () => {
  const { parseYaml, writeYaml } = await import('./yaml.ts');
  return { parse: parseYaml, write: writeYaml };
};

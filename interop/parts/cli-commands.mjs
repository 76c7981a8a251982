// The commands that the part `temporal-cli` gives to Temporal's command line. STEM is the prefix of ids. A command is a list of
// arguments; `recorded` is the answer of a real server, from test/golden/temporal.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/needs.mjs';
import { argumentsOf } from '../lib/temporal-cli.mjs';

const common = ['--workflow-id', 'STEM-wf', '--type', 'quick', '--task-queue', 'tq'];
const allowAll = ['--overlap-policy', 'AllowAll'];
const range = (day, from, to) => [
  '--start-time',
  `${day}T${from}:00:00Z`,
  '--end-time',
  `${day}T${to}:00:00Z`,
];
const own = (...args) => ({ args });
const create = (id, ...args) => own('schedule', 'create', '--schedule-id', `STEM-${id}`, ...args, ...common);
const backfill = (id, ...args) =>
  own('schedule', 'backfill', '--schedule-id', `STEM-${id}`, ...args, ...allowAll);

/** A real server has one batch of a namespace at a time. */
const batchesEnded = {
  ...own('batch', 'list', '--limit', '1', '-o', 'json'),
  until: /BATCH_OPERATION_STATE_COMPLETED/,
};

const count = (query, until) => ({
  ...own('workflow', 'count', '-q', `WorkflowId STARTS_WITH "STEM"${query}`),
  until,
});

/** What must be true before the recorded command with this number, and before the commands that it needs. */
const waits = {
  52: [batchesEnded],
  53: [batchesEnded],
  59: [count(' AND ExecutionStatus != "Running"', /Total: 6/)],
};
const deletedAll = count('', /Total: 0/);

/** The recorded commands in their order, with what they need between them. */
export function recordedCommands() {
  const read = (name) => JSON.parse(readFileSync(join(root, 'test/golden/temporal', name), 'utf8'));
  const { before } = read('cli-between.json');
  const needed = (index) =>
    (before[index] ?? []).flatMap((command) => [
      { args: argumentsOf(command) },
      ...(command.startsWith('workflow delete') ? [deletedAll] : []),
    ]);
  return read('cli.json').cases.flatMap(({ cmd, code, text }, index) => [
    ...(waits[index] ?? []),
    ...needed(index),
    { args: argumentsOf(cmd), recorded: { code, text }, index },
  ]);
}

const show = (verb, id, ...args) => own('workflow', verb, '-w', `STEM-${id}`, ...args);
const start = (verb, id, type, ...args) =>
  own('workflow', verb, '-w', `STEM-${id}`, '--type', type, '--task-queue', 'tq', ...args);
const json = ['-o', 'json'];

/** Every other group of commands: compared with the real server only. */
export const furtherCommands = [
  create('s', '--interval', '1h', '--paused', '--notes', 'first'),
  own('schedule', 'describe', '-s', 'STEM-s'),
  own('schedule', 'toggle', '-s', 'STEM-s', '--unpause', '--reason', 'go on'),
  own('schedule', 'describe', '-s', 'STEM-s'),
  own(
    'schedule',
    'update',
    '-s',
    'STEM-s',
    '--cron',
    '15 3 * * *',
    '--time-zone',
    'Asia/Tokyo',
    '--paused',
    ...common,
  ),
  own('schedule', 'describe', '-s', 'STEM-s', ...json),
  own('schedule', 'update', '-s', 'STEM-s', '--cron', 'nope', ...common),
  backfill('s', ...range('2026-01-01', '00', '23')),
  backfill('s', '--start-time', '2026-01-02T00:00:00Z', '--end-time', '2026-01-01T00:00:00Z'),
  own('schedule', 'list', '--really-long', '-q', 'ScheduleId = "STEM-s"'),
  own('schedule', 'list', '--limit', '1', '-q', 'ScheduleId = "STEM-s"', ...json),
  own('schedule', 'delete', '-s', 'STEM-none'),
  own('schedule', 'delete', '-s', 'STEM-s'),
  own('schedule', 'describe', '-s', 'STEM-s'),
  start('execute', 'done', 'quick'),
  start('execute', 'done-json', 'quick', ...json),
  start('execute', 'failed', 'failer'),
  start('start', 'open', 'sleeper', '--input', '{"ms":600000}', '--memo', 'team="a"'),
  start('start', 'open', 'sleeper', '--input', '{"ms":600000}', '--id-conflict-policy', 'Fail'),
  start('start', 'done', 'quick', '--id-reuse-policy', 'RejectDuplicate'),
  show('describe', 'done'),
  show('describe', 'done', ...json),
  show('describe', 'open'),
  show('describe', 'none'),
  show('show', 'done'),
  show('show', 'failed'),
  show('result', 'done'),
  show('result', 'failed'),
  show('stack', 'done'),
  show('metadata', 'open'),
  show('query', 'open', '--type', 'custom'),
  show('signal', 'open', '--name', 'wake'),
  show('update', 'open'),
  show('reset', 'failed', '--type', 'FirstWorkflowTask', '--reason', 'again'),
  show('update-options', 'open', '--versioning-override-behavior', 'auto_upgrade'),
  show('cancel', 'open'),
  { ...show('describe', 'open', ...json), until: /CANCELED/ },
  show('cancel', 'open'),
  show('terminate', 'open'),
  show('cancel', 'none'),
  show('terminate', 'none'),
  show('delete', 'done'),
  { ...own('workflow', 'count', '-q', 'WorkflowId = "STEM-done"'), until: /Total: 0/ },
  show('delete', 'none'),
  start('start', 'many-1', 'sleeper', '--input', '{"ms":600000}'),
  start('start', 'many-2', 'sleeper', '--input', '{"ms":600000}'),
  { ...own('workflow', 'count', '-q', 'WorkflowId STARTS_WITH "STEM-many"'), until: /Total: 2/ },
  own('workflow', 'terminate', '-q', 'WorkflowId STARTS_WITH "STEM-many"', '--yes', '--reason', 'batch'),
  {
    ...own('workflow', 'count', '-q', 'WorkflowId STARTS_WITH "STEM-many" GROUP BY ExecutionStatus'),
    until: /2, values: Terminated/,
  },
  batchesEnded,
  own('batch', 'describe', '--job-id', 'none'),
  own('batch', 'terminate', '--job-id', 'none', '--reason', 'none'),
  own('task-queue', 'describe', '-t', 'tq'),
  own('task-queue', 'describe', '-t', 'nobody'),
  own('task-queue', 'describe', '-t', 'tq', '--legacy-mode'),
  own('task-queue', 'describe', '-t', 'nobody', '--legacy-mode'),
  own('task-queue', 'list-partition', '-t', 'tq'),
  own('task-queue', 'config', 'get', '-t', 'tq', '--task-queue-type', 'workflow'),
  own('worker', 'deployment', 'list'),
  own('operator', 'cluster', 'list'),
  own('operator', 'cluster', 'system'),
  own('operator', 'nexus', 'endpoint', 'list'),
  own('operator', 'namespace', 'describe', '-n', 'default'),
  own('operator', 'namespace', 'describe', '-n', 'STEM-none'),
  own('operator', 'namespace', 'create', '-n', 'STEM-ns2', '--retention', '4d'),
  own('operator', 'namespace', 'update', '-n', 'STEM-ns2', '--retention', '5d', '--description', 'new'),
  own('operator', 'namespace', 'describe', '-n', 'STEM-ns2', ...json),
  own('operator', 'namespace', 'delete', '-n', 'STEM-ns2', '--yes'),
  own('operator', 'search-attribute', 'create', '--name', 'InteropCli', '--type', 'Keyword'),
  own('operator', 'search-attribute', 'remove', '--name', 'InteropCli', '--yes'),
  own('operator', 'search-attribute', 'remove', '--name', 'InteropCli', '--yes'),
  own('activity', 'complete', '-w', 'STEM-none', '--activity-id', '1', '--result', '1'),
  own('activity', 'fail', '-w', 'STEM-none', '--activity-id', '1'),
  own('workflow', 'list', '-q', 'Nope = 1'),
  own('workflow', 'count', '-q', 'WorkflowType = "nothing"'),
];

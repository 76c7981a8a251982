// Temporal's command line on a real server and on ours: exit codes and texts.
import { needs } from '../lib/needs.mjs';
import { Program } from '../lib/processes.mjs';
import { until } from '../lib/waiting.mjs';

const create = (id, ...more) => [
  'schedule',
  'create',
  '--schedule-id',
  id,
  '--workflow-type',
  'report',
  '--task-queue',
  'nobody',
  ...more,
];
const one = (verb, id, ...more) => ['schedule', verb, '--schedule-id', id, ...more];
const full = [
  '--workflow-id',
  'cli-full-w',
  '--interval',
  '5h/30m',
  '--calendar',
  '{"dayOfWeek":"Fri","hour":"3"}',
  '--cron',
  '0 12 * * MON',
  '--time-zone',
  'Europe/Berlin',
  '--overlap-policy',
  'BufferOne',
  '--catchup-window',
  '1h',
  '--pause-on-failure',
  '--notes',
  'by hand',
  '--paused',
  '--remaining-actions',
  '7',
  '--input',
  '{"full":true}',
  '--memo',
  'team="a"',
  '--schedule-memo',
  'why="because"',
  '--execution-timeout',
  '2h',
];

/** Each call, in order; `known` is why its text may differ, `knownCode` why its exit code may. */
const calls = [
  { args: ['operator', 'cluster', 'health'] },
  { args: ['operator', 'namespace', 'describe', 'default'], known: 'our retention, limits and capabilities' },
  { args: ['operator', 'search-attribute', 'create', '--name', 'CliColor', '--type', 'Keyword'] },
  { args: create('cli-full', ...full) },
  { args: create('cli-full', ...full) },
  { args: one('describe', 'cli-full'), settles: true },
  { args: one('describe', 'cli-full', '--output', 'json'), settles: true },
  { args: create('cli-bad', '--cron', 'not a cron') },
  { args: create('cli-bad', '--interval', '0s') },
  {
    args: create('cli-hand', '--workflow-id', 'cli-hand-w', '--schedule-search-attribute', 'CliColor="red"'),
  },
  { args: one('toggle', 'cli-full', '--unpause', '--reason', 'go on') },
  { args: one('toggle', 'cli-full', '--pause', '--reason', 'stop') },
  { args: one('trigger', 'cli-hand') },
  { args: one('describe', 'cli-hand'), settles: true },
  { args: create('cli-back', '--workflow-id', 'cli-back-w', '--interval', '1h', '--paused') },
  {
    args: one(
      'backfill',
      'cli-back',
      '--overlap-policy',
      'AllowAll',
      '--start-time',
      '2026-03-01T00:00:00Z',
      '--end-time',
      '2026-03-01T02:00:00Z',
    ),
  },
  { args: ['workflow', 'count', '--query', 'WorkflowType = "report"'], settles: true },
  { args: ['workflow', 'list', '--query', 'WorkflowId STARTS_WITH "cli-back-w"'], settles: true },
  { args: ['workflow', 'describe', '--workflow-id', 'cli-back-w-2026-03-01T00:00:00Z'], settles: true },
  {
    args: ['workflow', 'terminate', '--workflow-id', 'cli-back-w-2026-03-01T00:00:00Z', '--reason', 'enough'],
  },
  { args: ['workflow', 'terminate', '--workflow-id', 'cli-back-w-2026-03-01T00:00:00Z'] },
  { args: ['workflow', 'cancel', '--workflow-id', 'cli-back-w-2026-03-01T00:00:00Z'] },
  { args: ['workflow', 'describe', '--workflow-id', 'nothing'] },
  { args: ['task-queue', 'describe', '--task-queue', 'nobody'] },
  { args: ['batch', 'list'] },
  {
    args: one(
      'update',
      'cli-full',
      '--workflow-id',
      'w2',
      '--workflow-type',
      'report',
      '--task-queue',
      'q',
      '--interval',
      '2h',
    ),
  },
  { args: one('describe', 'cli-full', '--output', 'json'), settles: true },
  { args: ['schedule', 'list'], settles: true },
  { args: ['schedule', 'list', '--query', 'CliColor = "red"'], settles: true },
  { args: ['schedule', 'list', '--query', 'no query'] },
  { args: one('delete', 'cli-full') },
  { args: one('delete', 'cli-full') },
  { args: one('describe', 'cli-full') },
  { args: one('trigger', 'nothing') },
];

export const temporalCli = {
  name: 'temporal-cli',
  about: "Temporal's command line on a real server and on ours",
  run: async (stage) => {
    const cli = await needs.temporalCli();
    const servers = [await stage.temporal(), await stage.carillon()];
    for (const { args, known, settles = false } of calls) {
      const answers = [];
      for (const { address } of servers) answers.push(await ask(stage, cli, address, args));
      // What a list shows follows a moment later on both servers.
      if (settles) {
        await until(
          'both settle',
          async () => {
            answers[0] = await ask(stage, cli, servers[0].address, args);
            answers[1] = await ask(stage, cli, servers[1].address, args);
            return answers[0].text === answers[1].text;
          },
          8000,
          1000,
        ).catch(() => {});
      }
      judge(stage.report, args, answers, known);
    }
  },
};

async function ask(stage, cli, address, args) {
  const home = { HOME: stage.folder, PATH: process.env.PATH };
  const program = new Program(cli, [...args, '--address', address, '--color', 'never'], { env: home });
  const code = await program.end(60_000);
  return { code, text: normal([...program.lines, ...program.errors].join('\n')) };
}

/** Leaves out what differs from run to run. */
function normal(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^ "]*( [+-]\d+ \w+)?/g, '<time>')
    .replace(/\b(\d+|an?) (second|minute|hour|day)s? (ago|from now)|\bnow\b/g, '<ago>')
    .replace(/"conflictToken": ?"[^"]*"/g, '"conflictToken": "<token>"')
    .replace(/time=\S+ /g, '')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

function judge(report, args, [theirs, ours], known) {
  const name = args.slice(0, 4).join(' ');
  if (theirs.code !== ours.code) {
    report.failed(`${name}: exit code ${theirs.code}`, `ours ${ours.code}: ${ours.text}`);
    return;
  }
  if (theirs.text === ours.text) report.passed(`${name}: equal`);
  else if (known !== undefined) report.passed(`${name}: equal exit code (${known})`);
  else report.failed(`${name}: equal text`, difference(theirs.text, ours.text));
}

/** The lines of one side only. */
function difference(theirs, ours) {
  const [a, b] = [theirs.split('\n'), ours.split('\n')];
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `real ${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `ours ${line}`),
  ].join('\n');
}

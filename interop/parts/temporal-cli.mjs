// Temporal's command line on our server, beside a real one: what a real server answered when the commands were recorded, and what
// it answers this version of the command line now. Exit code and text must be equal, except for the differences named below.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from '../lib/needs.mjs';
import { comparable, TemporalCli } from '../lib/temporal-cli.mjs';
import { furtherCommands, recordedCommands } from './cli-commands.mjs';
import { linesOnlyIn, reasonFor } from './cli-differences.mjs';

/** The prefix of the recording: it is also inside encoded data. */
const stem = 'cmwl276s7';
/** How long a reading command is asked again until it answers as expected. */
const patienceMs = 4000;
/** A real server bounds questions per second. */
const overRate = /rate limit exceeded/;
const reads = /^(operator|schedule|workflow|batch) .*?\b(list|describe|count)\b/;

export const temporalCli = {
  name: 'temporal-cli',
  about: "Temporal's command line on our server and on a real one",
  run: async (stage) => {
    await needs.temporalCli();
    const real = await stage.temporal();
    const ours = await stage.carillon({ handlers: handlersFile(stage) });
    await workflowWorker(stage, real);
    const home = join(stage.folder, 'home');
    mkdirSync(home);
    const [theirs, here] = [await TemporalCli.on(real, home), await TemporalCli.on(ours, home)];
    const commands = [...recordedCommands(), ...furtherCommands];
    const tally = { recorded: 0, asRecorded: 0, equal: 0, known: 0, knownRecorded: 0, differ: 0 };
    for (const command of commands) judge(stage.report, tally, command, await onBoth(theirs, here, command));
    const { recorded, asRecorded, equal, known, knownRecorded, differ } = tally;
    stage.report.note(
      `${commands.length} commands: ${equal} equal to the real server beside, ${known} with a known difference, ${differ} with another`,
    );
    stage.report.note(
      `${recorded} of them were recorded with a newer command line: ${asRecorded} as recorded, ${knownRecorded} with a known difference`,
    );
  },
};

/** The workflows of the recording, as handlers. */
function handlersFile({ folder }) {
  const file = join(folder, 'handlers.mjs');
  const text = `import { setTimeout as sleep } from 'node:timers/promises';
export const register = (carillon) => {
  const queue = 'tq';
  carillon.handle('quick', () => 'done', { queue });
  carillon.handle('failer', () => { throw Object.assign(new Error('it broke'), { name: 'Broken' }); }, { queue });
  carillon.handle('sleeper', ({ input, signal }) => sleep(input.ms, 'slept', { signal }), { queue });
};`;
  writeFileSync(file, text);
  return file;
}

async function workflowWorker(stage, { address }) {
  const worker = stage.program(await needs.goSdk(), ['workflows', address, 'tq']);
  await worker.line((line) => line === 'ready');
}

/** The answers of both servers; a reading command is asked again until it says what is expected. */
async function onBoth(theirs, here, { args, recorded, until }) {
  const given = args.map((arg) => arg.replaceAll('STEM', stem));
  const ask = async (cli) => {
    const { code, text } = await cli.run(given);
    return { code, text: comparable(text, stem) };
  };
  const wanted = recorded && comparable(recorded.text, stem);
  const patient = reads.test(args.join(' '));
  const isThere = ({ text }) => {
    if (overRate.test(text)) return false;
    return until ? until.test(text) : !patient || wanted === undefined || text === wanted;
  };
  const settled = async (cli) => {
    const end = Date.now() + (until ? 5 * patienceMs : patienceMs);
    for (;;) {
      const answer = await ask(cli);
      if (isThere(answer) || (Date.now() > end && !overRate.test(answer.text))) return answer;
      await sleep(500);
    }
  };
  const [real, ours] = await Promise.all([settled(theirs), settled(here)]);
  return { real, ours, recorded: recorded && { code: recorded.code, text: wanted } };
}

function judge(report, tally, { args, index }, { real, ours, recorded }) {
  const command = args.join(' ').slice(0, 110);
  const title = index === undefined ? command : `${index}: ${command}`;
  const isAsRecorded = recorded !== undefined && isEqual(ours, recorded);
  if (recorded !== undefined) tally.recorded += 1;
  if (isAsRecorded) tally.asRecorded += 1;
  if (isEqual(ours, real)) tally.equal += 1;
  if (isAsRecorded || isEqual(ours, real)) return report.passed(title);
  // The recording decides too: a slow real server takes longer than a question about durations says.
  const reason = reasonFor(args, { real, ours }) ?? (recorded && reasonFor(args, { real: recorded, ours }));
  const text = difference(real, ours);
  if (reason === undefined) {
    tally.differ += 1;
    report.failed(title, text);
  } else {
    tally.known += 1;
    if (recorded !== undefined) tally.knownRecorded += 1;
    report.note(`known    ${title}: ${reason}\n${text}`.replaceAll('\n', '\n            '));
  }
}

const isEqual = (one, other) => one.code === other.code && one.text === other.text;

/** The lines that only one of them has. */
function difference(real, ours) {
  const side = (name, one, other) =>
    `${name} (exit ${one.code}): ${linesOnlyIn(one, other).join(' ⏎ ').slice(0, 1500)}`;
  return `${side('real', real, ours)}\n${side('ours', ours, real)}`;
}

/** Schedules that run programs: one that works, one that fails, and one that is not there. */
import { openCarillon } from 'carillon';

const carillon = await openCarillon({ store: 'memory:' });
const node = process.execPath;

// The input comes as JSON on standard input; of our environment the program sees PATH and what passEnv names.
const count = `
  let text = '';
  process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
    console.log(process.env.CARILLON_SCHEDULE + ' counts ' + JSON.parse(text).words.length + ' words');
  });`;
await carillon.schedules.create('count', {
  command: { argv: [node, '-e', count], timeout: '30s' },
  input: { words: ['ding', 'dang', 'dong'] },
});
await carillon.schedules.create('fail', {
  command: { argv: [node, '-e', "console.error('the disk is full'); process.exit(3)"] },
});
await carillon.schedules.create('absent', { command: { argv: ['no-such-program'] } });

let running = 3;
const finished = new Promise<void>((resolve) => {
  carillon.subscribe((event) => {
    if (event.type === 'finished') running -= 1;
    if (running === 0) resolve();
  });
});
await carillon.start();
for (const id of ['count', 'fail', 'absent']) await carillon.schedules.trigger(id);
await finished;

const { items } = await carillon.runs.list({ limit: 10, include: 'payloads' });
for (const { outcome, result, failure, input } of items) {
  const [program] = (input as { argv: string[] }).argv;
  const { stdout } = (result ?? {}) as { stdout?: string };
  const name = program === node ? 'node' : program;
  console.log(`${name}: ${outcome}, ${stdout?.trim() ?? failure?.message.replace(node, 'node')}`);
}
const { items: slots } = await carillon.schedules.slots('absent');
console.log(`the slot of what was not there: ${slots[0]?.verdict}`);
await carillon.stop();

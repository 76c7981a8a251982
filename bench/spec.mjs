// Speed of next() beside the cron libraries people use, in one process, in interleaved rounds (so that a slow
// moment of the machine hits every library), medians reported.
//   npm run bench -- spec            add --rounds 9 for steadier numbers
// next: parsed object kept, the next time after one of 4096 pseudo-random minutes of three years.
// parse + next: nothing kept, as a stateless service does.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (process.env.TZ !== 'UTC') throw new Error('run with TZ=UTC (npm run bench -- spec does)');
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 5;
const roundMs = 60;

async function loadOurs() {
  const built = fileURLToPath(new URL('../packages/carillon/dist/spec/index.js', import.meta.url));
  if (existsSync(built)) return [await import(built), 'dist'];
  const { register } = await import('tsx/esm/api');
  register();
  return [await import('../packages/carillon/src/spec/index.ts'), 'src, by tsx'];
}
const [ours, from] = await loadOurs();

/** Each peer gives make(expression, zone) → (ms) => ms. */
const peers = {
  carillon: async () => (expression, zone) => {
    const compiled = ours.compileSpec({ cron: [{ text: expression }], zone });
    return (at) => compiled.next(at).nominal;
  },
  croner: async () => {
    const { Cron } = await import('croner');
    return (expression, zone) => {
      const cron = new Cron(expression, { timezone: zone, paused: true });
      return (at) => cron.nextRun(new Date(at)).getTime();
    };
  },
  cronosjs: async () => {
    const { CronosExpression } = await import('cronosjs');
    return (expression, zone) => {
      const cron = CronosExpression.parse(expression, { timezone: zone });
      return (at) => cron.nextDate(new Date(at)).getTime();
    };
  },
  'cron-parser': async () => {
    const { CronExpressionParser } = await import('cron-parser');
    return (expression, zone) => {
      const cron = CronExpressionParser.parse(expression, { tz: zone });
      return (at) => {
        cron.reset(new Date(at));
        return cron.next().getTime();
      };
    };
  },
  'cron (kelektiv)': async () => {
    const { CronTime } = await import('cron');
    return (expression, zone) => {
      const cron = new CronTime(`0 ${expression}`, zone);
      return (at) => cron.getNextDateFrom(new Date(at), zone).toMillis();
    };
  },
  'cron-schedule (UTC only)': async () => {
    const { parseCronExpression } = await import('cron-schedule');
    return (expression, zone) => {
      if (zone !== 'UTC') return undefined;
      const cron = parseCronExpression(expression);
      return (at) => cron.getNextDate(new Date(at)).getTime();
    };
  },
};

const loaded = [];
for (const [name, load] of Object.entries(peers)) {
  try {
    loaded.push({ name, make: await load() });
  } catch (error) {
    loaded.push({ name, failure: `FAILED TO LOAD: ${error.message}` });
  }
}

const expressions = [
  '* * * * *',
  '*/5 * * * *',
  '0 9 * * 1-5',
  '15 2 * * *',
  '30 4 1,15 * *',
  '0 0 1 * *',
  '0,30 1-3 * * *',
  '5 4 * * 0',
  '0 12 31 12 *',
  '0 0 29 2 *',
];
const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

let state = 42;
const random = () => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
};
const start = Date.UTC(2026, 0, 1);
const moments = Float64Array.from(
  { length: 4096 },
  () => start + Math.floor(random() * 3 * 525_600) * 60_000 + 30_000,
);
let cursor = 0;
let sink = 0;

/** Calls per second over about `roundMs`. A library that throws is reported by its message. */
function measure(step) {
  const begin = performance.now();
  let count = 0;
  let elapsed = 0;
  do {
    for (let i = 0; i < 16; i++) sink += step(moments[cursor++ & 4095]);
    count += 16;
    elapsed = performance.now() - begin;
  } while (elapsed < roundMs);
  return (count / elapsed) * 1000;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const rate = (value) =>
  value >= 1e6
    ? `${(value / 1e6).toFixed(2)} M/s`
    : value >= 1e3
      ? `${(value / 1e3).toFixed(1)} k/s`
      : `${value.toFixed(0)} /s`;

/** Runs every contender once per round, after one round that is not counted. */
function compare(contenders) {
  const results = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    contenders.forEach(({ step, failure }, i) => {
      if (failure !== undefined || results[i].failure !== undefined) return;
      try {
        const value = measure(step);
        if (round > 0) results[i].push(value);
      } catch (error) {
        results[i].failure = `throws: ${String(error.message).slice(0, 50)}`;
      }
    });
  }
  return contenders.map(({ name, failure }, i) => {
    const problem = failure ?? results[i].failure;
    return problem === undefined ? { name, value: median(results[i]) } : { name, problem };
  });
}

function table(title, rows) {
  const own = rows.find((row) => row.name === 'carillon')?.value ?? Number.NaN;
  console.log(`\n${title}`);
  for (const { name, value, problem } of rows) {
    const speed =
      problem ?? `${rate(value).padStart(12)}   ${name === 'carillon' ? '' : `${(own / value).toFixed(1)}×`}`;
    console.log(`  ${name.padEnd(26)} ${speed}`);
  }
}

const prepare = (make, expression, zone, each) => {
  if (each) return (at) => make(expression, zone)(at);
  return make(expression, zone);
};

function contendersFor(cases, each) {
  return loaded.map(({ name, make, failure }) => {
    if (failure !== undefined) return { name, failure };
    try {
      const steps = [];
      for (const [expression, zone] of cases) {
        if (make(expression, zone) === undefined) continue;
        steps.push(prepare(make, expression, zone, each));
      }
      if (steps.length === 0) return { name, failure: 'no zones' };
      let turn = 0;
      const step = steps.length === 1 ? steps[0] : (at) => steps[turn++ % steps.length](at);
      return { name: steps.length === cases.length ? name : `${name} *`, step };
    } catch (error) {
      return { name, failure: `cannot parse: ${error.message}` };
    }
  });
}

console.log(
  `Node ${process.version}, carillon from ${from}, tz ${ours.timeZoneVersion()}, median of ${rounds} rounds of ${roundMs} ms`,
);
table(
  'next: 0 9 * * 1-5 in America/New_York',
  compare(contendersFor([['0 9 * * 1-5', 'America/New_York']], false)),
);
table('next: 0 9 * * 1-5 in UTC', compare(contendersFor([['0 9 * * 1-5', 'UTC']], false)));
table('next: * * * * * in UTC', compare(contendersFor([['* * * * *', 'UTC']], false)));

// A slow expression would drown the others in a plain mean of times, so each is its own contest.
const summary = new Map();
for (const zone of zones) {
  for (const expression of expressions) {
    for (const { name, value, problem } of compare(contendersFor([[expression, zone]], false))) {
      const entry = summary.get(name) ?? { values: [], problems: 0, worst: Infinity };
      if (problem === undefined) entry.values.push({ key: `${expression} ${zone}`, value });
      else entry.problems++;
      summary.set(name, entry);
    }
  }
}
const own = new Map(summary.get('carillon').values.map(({ key, value }) => [key, value]));
console.log(`\nnext: ${expressions.length} expressions × ${zones.length} zones (${expressions.join(' | ')})`);
console.log(
  `  ${'library'.padEnd(26)} ${'geometric mean'.padStart(15)}   ratio of means   smallest ratio, where`,
);
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
for (const [name, { values, problems }] of summary) {
  if (values.length === 0) {
    console.log(`  ${name.padEnd(26)} ${loaded.find((peer) => peer.name === name)?.failure ?? 'no result'}`);
    continue;
  }
  const ratios = values.map(({ key, value }) => ({ key, ratio: own.get(key) / value }));
  const least = ratios.reduce((a, b) => (a.ratio <= b.ratio ? a : b));
  const failed = problems > 0 ? `   (${problems} of ${expressions.length * zones.length} not answered)` : '';
  const detail =
    name === 'carillon'
      ? ''
      : `${mean(ratios.map(({ ratio }) => ratio))
          .toFixed(0)
          .padStart(8)}×        ${least.ratio.toFixed(1)}× at ${least.key}`;
  console.log(
    `  ${name.padEnd(26)} ${rate(mean(values.map(({ value }) => value))).padStart(15)}   ${detail}${failed}`,
  );
}

table(
  'parse + next: 0 9 * * 1-5 in America/New_York',
  compare(contendersFor([['0 9 * * 1-5', 'America/New_York']], true)),
);

// The same without our cache of compiled specs: a text never seen before each time.
let serial = 0;
const cold = {
  name: 'carillon',
  step: (at) => {
    serial++;
    const text = `${serial % 60} ${Math.floor(serial / 60) % 24} * * ${Math.floor(serial / 1440) % 7},6`;
    return ours.compileSpec({ cron: [{ text }], zone: 'America/New_York', startAt: serial * 1000 }).next(at)
      .nominal;
  },
};
for (let i = 0; i < 20_000; i++) sink += cold.step(moments[i & 4095]);
table('parse + next, a new spec every time (compiled cache missed)', compare([cold]));

const zone = ours.findZone('America/New_York');
const format = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
const viaIntl = (at) => {
  const [, month, day, year, hour, minute, second] =
    /(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)/.exec(format.format(at)) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
};
table(
  'offset of America/New_York at an instant: zone table and Intl',
  compare([
    { name: 'carillon', step: (at) => zone.offsetAt(at / 1000) },
    { name: 'Intl.DateTimeFormat', step: viaIntl },
  ]),
);
if (sink === 0.5) console.log(sink);

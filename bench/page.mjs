// The budget of the page as a table: bytes, requests, time to a usable list, nodes, work per frame, typing, events, the time
// from an event to its mark, a day's tab, and what fifty open pages do to the scheduler.
//   npm run bench -- page [schedules] [runs]
// A server on this machine with 10,000 schedules and 100,000 runs, and a real Chromium; run `npm run build` before. Script and
// tasks are CPU time of the page's thread; counts, bytes and memory depend on no clock. Other times of a busy machine say little.
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { screenWeights } from '../scripts/page-weight.mjs';

const { openCarillon } = await import('../packages/carillon/dist/main.js');
const { startServer } = await import('../packages/server/dist/server/index.js');
const count = Number(process.argv[2] ?? 10_000);
const runs = Number(process.argv[3] ?? 100_000);

const carillon = await openCarillon({ store: 'memory:' });
carillon.handle('work', () => 'done');
const server = await startServer({ carillon, port: 0, drainMs: 100 });
const nameOf = (number) => `schedule-${String(number).padStart(5, '0')}`;
const ids = Array.from({ length: count }, (_, number) => nameOf(number));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

console.log(`${count} schedules …`);
for (let from = 0; from < count; from += 500) {
  await Promise.all(
    ids.slice(from, from + 500).map((id, index) => {
      const number = from + index;
      const owner = `team-${number % 20}`;
      const cron = `${number % 60} ${number % 24} * * *`;
      return carillon.schedules.create(id, { cron, run: 'work', tags: [owner], owner }, { actor: 'bench' });
    }),
  );
}
// One schedule of every minute has enough slots for 2,000 marks; the runs come from backfills of it and a hundred others.
const dense = 'zz-every-minute';
const perSchedule = Math.min(900, Math.ceil(runs / 110));
const past = Date.now() - 30 * 86_400_000;
console.log(`${runs} runs …`);
await carillon.schedules.create(dense, { cron: '* * * * *', run: 'work' }, { actor: 'bench' });
const many = Array.from({ length: Math.ceil(runs / perSchedule) - 1 }, (_, number) => `zz-many-${number}`);
for (const id of many) await carillon.schedules.create(id, { cron: '* * * * *', run: 'work' });
const began = performance.now();
await Promise.all(
  [dense, ...many].map((id) =>
    carillon.schedules.backfill(id, {
      from: new Date(past),
      to: new Date(past + (id === dense ? 2000 : perSchedule) * 60_000),
      overlap: 'allowAll',
    }),
  ),
);
for (let rest = many.length + 1; rest > 0; ) {
  await sleep(500);
  rest = 0;
  for (const id of [dense, ...many]) {
    const { backfills, runningCount } = await carillon.schedules.describe(id);
    if (backfills.length + runningCount > 0) rest += 1;
  }
  if (performance.now() - began > 240_000)
    throw new Error(`the runs of ${rest} schedules were not made in time`);
}

const browser = await chromium.launch({
  executablePath: process.env.CARILLON_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const rows = [];
const say = (what, limit, measured, isOk) => {
  rows.push({ what, limit, measured, ok: isOk ? 'yes' : 'NO' });
  console.log(`${isOk ? 'yes' : 'NO '}  ${what}: ${measured} (${limit})`);
};
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const mb = (bytes) => `${bytes >= 0 ? '+' : ''}${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Opens an address in a fresh browser profile and counts what it loads until `ready` is seen. */
async function load(path, ready) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  let foreign = 0;
  let fonts = 0;
  let wire = 0;
  const bodies = [];
  const answers = [];
  const asked = [];
  page.on('response', (response) => {
    const url = response.url();
    if (url.startsWith('data:')) return;
    if (!url.startsWith(server.url)) foreign += 1;
    if (response.request().resourceType() === 'font') fonts += 1;
    if (url.includes('/api/')) asked.push(url);
    if (url.endsWith('/events')) return;
    (url.includes('/api/') ? answers : bodies).push(
      response
        .body()
        .then((body) => gzipSync(body).length)
        .catch(() => 0),
    );
  });
  // What came over the connection, compressed as the server did it, headers included.
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire += encodedDataLength;
  });
  // When the first row or the awaited text is drawn, by the page's own clock: waiting from outside adds its own time.
  await page.addInitScript((text) => {
    const observer = new MutationObserver(() => {
      if (!document.body?.textContent?.includes(text)) return;
      observer.disconnect();
      globalThis.readyAt = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  }, ready);
  await page.goto(`${server.url}/ui/default/${path}`, { waitUntil: 'commit' });
  await page.getByText(ready).first().waitFor();
  const usable = await page.evaluate('globalThis.readyAt');
  // The document itself, and every request that began before the list was there; the event stream is a connection.
  const until = await page.evaluate(
    "[...new Set(performance.getEntriesByType('resource').filter(({ name, startTime }) => startTime < globalThis.readyAt && !name.startsWith('data:') && !name.endsWith('/events')).map(({ name }) => name))]",
  );
  await page.waitForTimeout(500);
  const paint = await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  );
  const sum = async (sizes) => (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  const [files, data] = [await sum(bodies), await sum(answers)];
  return {
    context,
    page,
    usable,
    names: [page.url(), ...until],
    foreign,
    fonts,
    wire,
    bytes: files + data,
    files,
    data,
    paint,
    asked,
  };
}

// The first request builds the server's index; people meet a server that has it.
await (await load('schedules?q=schedule-0000', 'schedule-0000')).context.close();
const list = await load('schedules', 'schedule-00000');
say(
  'requests to other hosts; for fonts',
  '0; 0',
  `${list.foreign}; ${list.fonts}`,
  list.foreign + list.fonts === 0,
);
say('requests until the list is usable', '6', String(list.names.length), list.names.length <= 6);
if (list.names.length > 6) console.log(list.names.join('\n'));
say('first paint', '300 ms aim, 1 s', `${Math.round(list.paint)} ms`, list.paint < 1000);
say('usable list', '600 ms aim, 1 s', `${Math.round(list.usable)} ms`, list.usable < 1000);
const nodesOf = async () => await list.page.evaluate('document.querySelectorAll("*").length');
const nodes = await nodesOf();

/** The browser's own counters of a page, in seconds that its thread had the processor. */
async function counters(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    read: async (name) => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return metrics.find((metric) => metric.name === name)?.value ?? 0;
    },
    heap: async () => {
      await cdp.send('HeapProfiler.collectGarbage');
      return (await cdp.send('Runtime.getHeapUsage')).usedSize;
    },
  };
}

/**
 * What each frame costs while something moves, in ms of the page's thread: its script, and all of it with styles, layout and
 * drawing, which has to be done within the 16.7 ms of a sixtieth of a second.
 */
async function framing(page, frames, move) {
  const { read } = await counters(page);
  const script = [];
  const all = [];
  let before = [await read('ScriptDuration'), await read('TaskDuration')];
  for (let frame = 0; frame < frames; frame += 1) {
    await move(frame);
    await page.evaluate('new Promise(requestAnimationFrame)');
    const after = [await read('ScriptDuration'), await read('TaskDuration')];
    script.push(1000 * (after[0] - before[0]));
    all.push(1000 * (after[1] - before[1]));
    before = after;
  }
  const told = (values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return {
      mean: values.reduce((sum, each) => sum + each, 0) / values.length,
      p95: sorted[Math.floor(0.95 * (sorted.length - 1))],
    };
  };
  return { script: told(script), all: told(all) };
}
const sixtieth = 1000 / 60;
/** Two rows: the script of a frame on the average, and all work of the slowest frames but five of a hundred. */
function sayFrames(what, moved) {
  const shown = (pick) => moved.map((each) => pick(each).toFixed(1)).join(', ');
  const worst = (pick) => Math.max(...moved.map(pick));
  const each = moved.length === 1 ? '' : ' each';
  const mean = ({ script }) => script.mean;
  const slow = ({ all }) => all.p95;
  say(
    `script per frame, ${what}`,
    `4 ms${each}`,
    `${shown(mean)} ms (95 of 100: ${shown(({ script }) => script.p95)})`,
    worst(mean) <= 4,
  );
  say(
    `all work of a frame, 95 of 100, ${what}`,
    `16.7 ms${each}: 60 frames`,
    `${shown(slow)} ms`,
    worst(slow) <= sixtieth,
  );
}
sayFrames('scrolling the list', [await framing(list.page, 120, () => list.page.mouse.wheel(0, 120))]);
const nodesFar = await nodesOf();
say(
  'nodes in the document of the list; after scrolling far',
  '2,500',
  `${nodes}; ${nodesFar}`,
  Math.max(nodes, nodesFar) <= 2500,
);

// Typing, measured in the page: from the key to the change of the document that shows the row.
await list.page.evaluate('scrollTo(0, 0)');
const field = list.page.getByLabel('Find schedules');
const times = [];
const stem = ids.at(-1).slice(0, -1);
for (const last of ['9', '8', '7', '6', '5']) {
  await field.fill('');
  await list.page.getByText('schedule-00000').first().waitFor();
  await field.pressSequentially(stem, { delay: 30 });
  await list.page.getByText(`${stem}0`).first().waitFor();
  await list.page.evaluate(`(() => {
    let typed;
    document.addEventListener('keydown', () => { typed = performance.now(); }, { once: true, capture: true });
    globalThis.found = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const rows = [...document.querySelectorAll('.lrow')].map((row) => row.textContent);
        if (typed === undefined || rows.length !== 1 || !rows[0].includes('${stem}${last}')) return;
        observer.disconnect();
        resolve(performance.now() - typed);
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  })()`);
  await field.press(last);
  times.push(await list.page.evaluate('globalThis.found'));
}
times.sort((a, b) => a - b);
say('first rows after the last key, median of five', '100 ms', `${Math.round(times[2])} ms`, times[2] <= 100);
await field.fill('');
await list.page.getByText('schedule-00000').first().waitFor();

// Events: many finished runs a second on an open page; counted where the page gets them, on the stream.
const busy = ids.slice(0, 50);
let streamed = 0;
const hearing = new AbortController();
const stream = await fetch(`${server.url}/api/v1/namespaces/default/events`, { signal: hearing.signal });
(async () => {
  const decoder = new TextDecoder();
  for await (const part of stream.body)
    streamed += decoder.decode(part, { stream: true }).split('\nevent: ').length - 1;
})().catch(() => {});

/** As many events as the budget names, for some seconds: the share of a core that the page's thread takes. */
async function underEvents(page, seconds) {
  const { read } = await counters(page);
  const before = await read('TaskDuration');
  const began = performance.now();
  const first = streamed;
  while (performance.now() - began < seconds * 1000) {
    await Promise.all(
      busy.map((id) => carillon.schedules.trigger(id, { actor: 'bench', overlap: 'allowAll' })),
    );
    // The server writes to its streams meanwhile; the next ones when fewer than 500 came for each second.
    do await sleep(5);
    while (streamed - first > ((performance.now() - began) / 1000) * 500);
  }
  const took = (performance.now() - began) / 1000;
  return {
    rate: Math.round((streamed - first) / took),
    share: (100 * ((await read('TaskDuration')) - before)) / took,
  };
}
const sayShare = (what, { rate, share }) =>
  say(
    `${rate} events/s on an open page, ${what}: share of a core`,
    '500; 10 %',
    `${share.toFixed(1)} %`,
    share <= 10 && rate >= 450,
  );
list.asked.length = 0;
sayShare('the list', await underEvents(list.page, 6));

// The requests of a page while events arrive, for the fifty pages below.
const asked = [...new Set(list.asked)].filter((url) => !url.endsWith('/events'));
await list.context.close();
for (const [what, path, ready] of [
  ['the overview', '', 'Needs you'],
  ['a schedule that runs all the time', `schedules/${busy[0]}`, 'What should happen'],
  ['all runs', 'runs', 'Everything that was started'],
]) {
  const open = await load(path, ready);
  sayShare(what, await underEvents(open.page, 6));
  await open.context.close();
}
hearing.abort();

// From an event to the page: when the server sends it, and when the strip of its row is drawn again.
{
  const id = nameOf(count - 1);
  const one = await load(`schedules?q=${id}`, id);
  const drawn = [];
  for (let number = 0; number < 11; number += 1) {
    const seen = one.page.evaluate(`new Promise((resolve) => {
      const strip = document.querySelector('.lrow .c-strip');
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(Date.now()));
      });
      observer.observe(strip, { subtree: true, childList: true, attributes: true, characterData: true });
    })`);
    let told;
    const stop = carillon.subscribe((event) => {
      if (event.schedule === id && event.type === 'slot') told ??= Date.now();
    });
    await carillon.schedules.trigger(id, { actor: 'bench', overlap: 'allowAll' });
    drawn.push((await seen) - told);
    stop();
    // The repaints of one event end before the next event.
    await sleep(700);
  }
  drawn.sort((a, b) => a - b);
  say(
    'from an event to its mark, median of eleven',
    '300 ms',
    `${drawn[5]} ms (longest ${drawn[10]})`,
    drawn[5] <= 300,
  );
  await one.context.close();
}

// A day's tab: the page's clock runs through a day minute by minute, with the events of each minute on the channel that tabs share.
const tab = await load('schedules', 'schedule-00000');
await tab.page.clock.install();
const { heap: heapOf } = await counters(tab.page);
const oneMinute = async (minute) => {
  await tab.page.evaluate(
    `(() => {
      const channel = new BroadcastChannel('carillon.live./ui.default');
      const at = new Date(Date.now()).toISOString();
      const events = Array.from({ length: 60 }, (_, second) => {
        const schedule = 'schedule-' + String((${minute} * 60 + second) % 10000).padStart(5, '0');
        const run = '0mw' + (${minute} * 60 + second).toString(36);
        return [
          { id: run, type: 'slot', data: { schedule, verdict: 'started', nominal: at, from: at, count: 1, cause: 'auto', runId: run } },
          { id: run + 'f', type: 'finished', data: { schedule, runId: run, outcome: 'completed', durationMs: 1000 } },
        ];
      }).flat();
      channel.postMessage({ events });
      channel.close();
    })()`,
  );
  await tab.page.clock.fastForward(60_000);
};
const strips = async () =>
  await tab.page.evaluate(
    "[...document.querySelectorAll('.lrow .c-strip')].map((each) => each.innerHTML).join()",
  );
const unheard = await strips();
for (let minute = 0; minute < 60; minute += 1) await oneMinute(minute);
if ((await strips()) === unheard) throw new Error('the tab did not hear its events: no row has changed');
const afterHour = await heapOf();
for (let minute = 60; minute < 24 * 60; minute += 1) await oneMinute(minute);
const grown = (await heapOf()) - afterHour;
say(
  'memory of a tab after a day (172,800 events), beside its first hour',
  'flat: 4 MB',
  mb(grown),
  grown < 4 * 1024 * 1024,
);
await tab.context.close();

// Every screen in a fresh profile: what it loads until half a second after its text is there.
const [someRun] = (await carillon.runs.list({ limit: 1 })).items;
const screens = [
  ['', 'Needs you'],
  ['schedules', 'schedule-00000'],
  ['schedules/new', 'After an outage'],
  ['schedules/schedule-00000', 'What should happen'],
  ['schedules/schedule-00000/edit', 'After an outage'],
  ['runs', 'Everything that was started'],
  [`runs/${someRun.id}`, 'Attempts'],
  ['calendar', 'Hour by weekday'],
  ['hosts', 'Producers read the world'],
  ['clock', 'Every coming change'],
  ['audit', 'Every change'],
  ['playground', 'Nothing is saved'],
  ['settings', 'The marks'],
];
for (const [path, ready] of screens) {
  const { context, bytes, files, data, wire, paint } = await load(path, ready);
  await context.close();
  say(
    `first load of /${path.replace(someRun.id, '{run}')}, gzipped (files, data), on the wire; first paint`,
    '150 KB aim, 250 KB; 300 ms aim, 1 s',
    `${kb(bytes)} (${kb(files)}, ${kb(data)}), ${kb(wire)}; ${Math.round(paint)} ms`,
    Math.max(bytes, wire) < 250 * 1024 && paint < 1000,
  );
}
// At every level of detail: 2,000 slots as bins, as many as fit as marks, and 2,000 marks on a screen that is wide enough.
const movements = [
  { what: '2,000 slots as bins', minutes: 2000, width: 1440 },
  { what: '200 slots as marks', minutes: 200, width: 1440 },
  { what: '1,900 slots as marks, 8,300 px', minutes: 1900, width: 8300 },
];
for (const { what, minutes, width } of movements) {
  const span = `from=${new Date(past).toISOString()}&to=${new Date(past + minutes * 60_000).toISOString()}`;
  const full = await load(`schedules/${dense}?${span}`, 'What should happen');
  await full.page.setViewportSize({ width, height: 900 });
  const drawn = full.page.locator('.timeline');
  await drawn.waitFor();
  await drawn.focus();
  await full.page.waitForTimeout(1000);
  const keys = await framing(full.page, 60, (frame) => full.page.keyboard.press(frame % 2 === 0 ? '+' : '-'));
  const box = await drawn.boundingBox();
  await full.page.mouse.move(box.x + box.width / 2, box.y + 60);
  const turned = await framing(full.page, 60, (frame) =>
    full.page.mouse.wheel(0, frame % 20 < 10 ? -40 : 40),
  );
  const panned = await framing(full.page, 60, (frame) =>
    full.page.mouse.wheel(frame % 20 < 10 ? 30 : -30, 0),
  );
  sayFrames(`${what}: zoom by key, by wheel, pan`, [keys, turned, panned]);
  await full.context.close();
}
await browser.close();

// Fifty pages: what a real page asked for above, asked again by fifty callers every five seconds beside their event streams.
const herd = Array.from({ length: 100 }, (_, number) => `fire-${number}`);
for (const id of herd) await carillon.schedules.create(id, { every: '1s', run: 'work' }, { actor: 'bench' });
const late = [];
carillon.subscribe((event) => {
  if (event.type === 'started' && herd.includes(event.schedule)) late.push(Date.now() - event.nominal);
});
/** The callers have a thread of their own: browsers do not share the server's. */
const calling = `
  const { parentPort, workerData: { url, asked, pages } } = require('node:worker_threads');
  const page = async () => {
    const stream = await fetch(url + '/api/v1/events');
    (async () => { for await (const _ of stream.body); })().catch(() => {});
    for (;;) {
      for (const each of asked) await (await fetch(each)).arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, 4000 + 2000 * Math.random()));
    }
  };
  for (let number = 0; number < pages; number += 1) page().catch(() => {});
`;
async function lateness(pages) {
  const callers = new Worker(calling, { eval: true, workerData: { url: server.url, asked, pages } });
  await sleep(2000);
  late.length = 0;
  await sleep(10_000);
  const sorted = [...late].sort((a, b) => a - b);
  await callers.terminate();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), fires: sorted.length };
}
const alternating = [];
for (const pages of [0, 50, 0, 50]) alternating.push({ pages, ...(await lateness(pages)) });
const best = (pages, name) =>
  Math.min(...alternating.filter((each) => each.pages === pages).map((each) => each[name]));
for (const name of ['p50', 'p99']) {
  const [none, fifty] = [best(0, name), best(50, name)];
  say(
    `lateness of 100 fires/s with 50 open pages, ${name}`,
    `none open: ${none} ms, at most 25 ms more`,
    `${fifty} ms`,
    fifty <= none + 25,
  );
}
await server.stop();
console.log('Files of each screen, gzipped:');
for (const { screen, bytes, files } of screenWeights()) {
  const names = files.map(
    (each) => `${each.file.replace(/^assets\/|-[\w-]{8}(?=\.)/g, '')} ${kb(each.bytes)}`,
  );
  console.log(`  /${screen}: ${kb(bytes)} = ${names.join(' + ')}`);
}
console.table(rows);
process.exit(rows.every(({ ok }) => ok === 'yes') ? 0 : 1);

// The budget of the page as a table: bytes, requests, time to a usable list, nodes, script per frame, typing, events.
//   npm run bench -- page [schedules]
// A server on this machine with many schedules, and a real Chromium; run `npm run build` before.
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const { openCarillon } = await import('../packages/carillon/dist/main.js');
const { startServer } = await import('../packages/server/dist/server/index.js');
const count = Number(process.argv[2] ?? 10_000);

const carillon = await openCarillon({ store: 'memory:' });
carillon.handle('work', () => 'done');
const server = await startServer({ carillon, port: 0, drainMs: 100 });
console.log(`${count} schedules, a run of each of the first 100 …`);
for (let from = 0; from < count; from += 500) {
  await Promise.all(
    Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const number = from + index;
      return carillon.schedules.create(
        `schedule-${String(number).padStart(5, '0')}`,
        {
          cron: `${number % 60} ${number % 24} * * *`,
          run: 'work',
          tags: [`team-${number % 20}`],
          owner: `team-${number % 20}`,
        },
        { actor: 'bench' },
      );
    }),
  );
}
for (let number = 0; number < 100; number += 1) {
  await carillon.schedules.trigger(`schedule-${String(number).padStart(5, '0')}`, { actor: 'bench' });
}
const busy = Array.from({ length: 50 }, (_, number) => `schedule-${String(number).padStart(5, '0')}`);
const browser = await chromium.launch({
  executablePath: process.env.CARILLON_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
});
const rows = [];
const say = (what, limit, value, isOk) =>
  rows.push({ what, limit, measured: value, ok: isOk ? 'yes' : 'NO' });

/** Opens an address in a fresh browser profile and counts what it loads until `ready` is seen. */
async function load(path, ready) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  let requests = 0;
  let foreign = 0;
  const bodies = [];
  page.on('response', (response) => {
    const url = response.url();
    if (!url.startsWith(server.url)) foreign += 1;
    if (url.endsWith('/events')) return;
    requests += 1;
    bodies.push(
      response
        .body()
        .then((body) => gzipSync(body).length)
        .catch(() => 0),
    );
  });
  const began = performance.now();
  await page.goto(`${server.url}/ui/default/${path}`, { waitUntil: 'commit' });
  await page.getByText(ready).first().waitFor();
  const usable = performance.now() - began;
  const until = requests;
  await page.waitForTimeout(500);
  const paint = await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  );
  const bytes = (await Promise.all(bodies)).reduce((sum, size) => sum + size, 0);
  return { context, page, usable, requests: until, foreign, bytes, paint };
}

// The first request builds the server's index; people meet a server that has it.
await (await load('schedules?q=schedule-0000', 'schedule-0000')).context.close();
const list = await load('schedules', 'schedule-00000');
const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;
say(
  'first load of the list, gzipped (script, style, data)',
  '150 KB aim, 250 KB',
  kb(list.bytes),
  list.bytes < 250 * 1024,
);
say('requests to other hosts, bytes of fonts', '0', String(list.foreign), list.foreign === 0);
say('requests until the list is usable', '6', String(list.requests), list.requests <= 6);
say('first paint', '300 ms aim', `${Math.round(list.paint)} ms`, list.paint < 1000);
say('usable list', '600 ms aim, 1 s', `${Math.round(list.usable)} ms`, list.usable < 1000);
const nodes = await list.page.evaluate('document.querySelectorAll("*").length');
say('nodes in the document', '2,500', String(nodes), nodes <= 2500);

/** Script time per frame while something moves, from the browser's own counter. */
async function scripting(page, frames, move) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  };
  const before = await read();
  for (let frame = 0; frame < frames; frame += 1) {
    await move(frame);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  return (1000 * ((await read()) - before)) / frames;
}
const scroll = await scripting(list.page, 120, () => list.page.mouse.wheel(0, 120));
say('script per frame while scrolling the list', '4 ms', `${scroll.toFixed(1)} ms`, scroll <= 4);
await list.page.evaluate('scrollTo(0, 0)');
await list.page.getByLabel('Find schedules').fill('schedule-0999');
const typed = performance.now();
await list.page.getByLabel('Find schedules').press('9');
await list.page.getByText('schedule-09999').first().waitFor();
const found = performance.now() - typed;
say('first rows after the last key', '100 ms + 80 ms rest', `${Math.round(found)} ms`, found < 400);
await list.page.getByLabel('Find schedules').fill('');

// Events: many finished runs a second on an open page.
await list.page.getByText('schedule-00000').first().waitFor();
const cdp = await list.page.context().newCDPSession(list.page);
await cdp.send('Performance.enable');
const busyTime = async () => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
};
const heapOf = async () => {
  await cdp.send('HeapProfiler.collectGarbage');
  return await list.page.evaluate('performance.memory.usedJSHeapSize');
};
const heap = await heapOf();
const busyBefore = await busyTime();
const seconds = 6;
const eventsBegan = performance.now();
let events = 0;
while (performance.now() - eventsBegan < seconds * 1000) {
  await Promise.all(
    busy.map((id) => carillon.schedules.trigger(id, { actor: 'bench', overlap: 'allowAll' })),
  );
  // Each trigger makes a slot, a start, an end and changes.
  events += busy.length * 4;
  const due = eventsBegan + (events / 500) * 1000;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
}
const took = (performance.now() - eventsBegan) / 1000;
const share = (100 * ((await busyTime()) - busyBefore)) / took;
say(
  `${Math.round(events / took)} events/s on an open page: share of a core`,
  '10 %',
  `${share.toFixed(1)} %`,
  share <= 10,
);
const grown = ((await heapOf()) - heap) / 1024 / 1024;
say(`memory after ${events} events`, 'flat', `${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MB`, grown < 4);
await list.context.close();

const timeline = await load('schedules/schedule-00000', 'What should happen');
say(
  'first load of a schedule, gzipped',
  '150 KB aim, 250 KB',
  kb(timeline.bytes),
  timeline.bytes < 250 * 1024,
);
await timeline.page.locator('.timeline').waitFor();
await timeline.page.locator('.timeline').focus();
const zoom = await scripting(timeline.page, 60, (frame) =>
  timeline.page.keyboard.press(frame % 2 === 0 ? '+' : '-'),
);
say('script per frame while zooming the timeline', '4 ms', `${zoom.toFixed(1)} ms`, zoom <= 4);
const drawn = await timeline.page.evaluate(
  "(() => { const all = performance.getEntriesByName('timeline-draw').map((each) => each.duration); return all.reduce((a, b) => a + b, 0) / Math.max(1, all.length); })()",
);
say('drawing the canvas once', '4 ms', `${drawn.toFixed(2)} ms`, drawn <= 4);
await timeline.context.close();
await browser.close();
await server.stop();
console.table(rows);
process.exit(rows.every(({ ok }) => ok === 'yes') ? 0 : 1);

// Temporal's Web UI in a real browser on our server: every page shows its content instead of placeholders, and no call of the page is
// refused by the server. Screenshots stay in .cache/interop/screens.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { chromium } from 'playwright-core';
import { cache, needs } from '../lib/needs.mjs';
import { freePort } from '../lib/servers.mjs';
import { until } from '../lib/waiting.mjs';

const screens = join(cache, 'screens');

export const temporalWeb = {
  name: 'temporal-web',
  about: "Temporal's Web UI in a browser on our server",
  run: async (stage) => {
    const executablePath = await needs.chromium();
    const program = await needs.temporalUi();
    const server = await stage.carillon({ handlers: handlersFile(stage) });
    const workflow = await seed(stage, server);
    const url = await startUi(stage, program, server);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    stage.after(() => browser.close());
    mkdirSync(screens, { recursive: true });
    const run = `${url}/namespaces/default/workflows/${encodeURIComponent(workflow.workflowId)}/${workflow.runId}`;
    for (const [name, address, text] of [
      ['schedules', `${url}/namespaces/default/schedules`, 'web-hourly'],
      ['schedule', `${url}/namespaces/default/schedules/web-hourly`, 'web-hourly'],
      ['workflows', `${url}/namespaces/default/workflows`, workflow.workflowId],
      ['workflow history', `${run}/history`, 'Workflow Execution Started'],
      ['workflow workers', `${run}/workers`, 'reports'],
      ['workflow call stack', `${run}/call-stack`, 'Call Stack'],
      ['workflow queries', `${run}/query`, 'Queries'],
      ['task queue', `${url}/namespaces/default/task-queues/reports`, 'reports'],
      ['batch operations', `${url}/namespaces/default/batch-operations`, 'Batch Operations'],
      ['workers', `${url}/namespaces/default/workers`, 'Worker'],
      ['namespace', `${url}/namespaces/default`, 'Retention'],
    ]) {
      await stage.report.check(`${name}: content, no placeholders, no refused calls`, () =>
        visit(browser, name, address, text),
      );
    }
  },
};

/** A handler that never ends, so that its workflow stays open and its queue has a poller. */
function handlersFile({ folder }) {
  const file = join(folder, 'handlers.mjs');
  const text = `export const register = (carillon) => carillon.handle('report', () => new Promise(() => {}), { queue: 'reports' });`;
  writeFileSync(file, text);
  return file;
}

/** A schedule with a running workflow. */
async function seed(stage, { address }) {
  const connection = await Connection.connect({ address });
  stage.after(() => connection.close());
  const client = new Client({ connection });
  const handle = await client.schedule.create({
    scheduleId: 'web-hourly',
    spec: {
      intervals: [{ every: '1h' }],
      calendars: [{ hour: 9, dayOfWeek: 'MONDAY' }],
      timezone: 'Europe/Berlin',
    },
    action: { type: 'startWorkflow', workflowType: 'report', taskQueue: 'reports', args: [{ full: true }] },
    memo: { why: 'because' },
    state: { note: 'by hand' },
  });
  await handle.trigger();
  const { workflow } = await until('the trigger started a workflow', async () => {
    const { info } = await handle.describe();
    return info.recentActions[0]?.action;
  });
  return { workflowId: workflow.workflowId, runId: workflow.firstExecutionRunId };
}

async function startUi(stage, program, server) {
  const port = await freePort();
  const folder = join(stage.folder, 'ui');
  mkdirSync(join(folder, 'config'), { recursive: true });
  const config = [
    `temporalGrpcAddress: ${server.address}`,
    'host: 127.0.0.1',
    `port: ${port}`,
    'enableUi: true',
    'defaultNamespace: default',
    'disableNewsFetch: true',
    'cors: { cookieInsecure: true, allowOrigins: ["*"], unsafeAllowAllOrigins: true }',
  ];
  writeFileSync(join(folder, 'config/development.yaml'), `${config.join('\n')}\n`);
  const ui = stage.program(program, ['--root', folder, 'start'], { cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  await until('the Web UI serves', async () => {
    if (ui.isOver) throw new Error(ui.errors.slice(-5).join('\n'));
    return (await fetch(url)).ok;
  });
  return url;
}

/** Placeholders of the page while it waits for an answer. */
const placeholders =
  '[class*="skeleton" i], [data-testid*="skeleton" i], [data-testid*="loading" i], .animate-pulse:not(.rounded-full)';

async function visit(browser, name, address, text) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const refused = [];
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    if (response.status() < 400 || !pathname.startsWith('/api/')) return;
    refused.push(
      response
        .text()
        .then((body) => `${response.status()} ${pathname}${decodeURIComponent(search)}: ${body}`),
    );
  });
  try {
    await page.goto(address, { waitUntil: 'domcontentloaded', timeout: 120_000 });
    await page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: 90_000 });
    const waiting = page.locator(placeholders).filter({ visible: true });
    await until('no placeholders', async () => (await waiting.count()) === 0, 30_000, 500).catch(
      async (error) => {
        throw new Error(
          `${error.message}: ${await waiting.first().evaluate((element) => element.outerHTML.slice(0, 200))}`,
        );
      },
    );
    if (refused.length > 0) throw new Error((await Promise.all(refused)).join('\n'));
  } finally {
    await page.screenshot({ path: join(screens, `${name.replaceAll(' ', '-')}.png`) });
    await page.close();
  }
}

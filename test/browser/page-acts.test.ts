/** Further things that people do on the page: they delete, run one slot, choose a theme, work in two tabs, and below a prefix. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { mountCarillon } from '../../packages/server/src/server/mount.ts';
import { withoutChromium } from '../support/chromium.ts';
import { PageStage, violations, visit, within } from './page-stage.ts';

describe.skipIf(withoutChromium)('on the page', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  const create = async (...ids: readonly string[]) => {
    for (const id of ids) {
      await stage.world.carillon.schedules.create(
        id,
        { cron: '0 4 * * *', zone: 'UTC', run: 'quick', tags: ['spare'] },
        { actor: 'ana' },
      );
    }
  };

  test('one schedule is deleted after a look at what it means, many only when their number is typed', async () => {
    await create('spare-1', 'spare-2', 'spare-3');
    await using opened = await stage.visit('schedules?q=tag:spare');
    const { page } = opened;
    await page.getByText('3 schedules').waitFor();
    await page.getByRole('button', { name: 'Actions for spare-1' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What will happen').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2 schedules').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByText('What will happen').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 2 to delete them').fill('2');
    await button.click();
    await page.getByRole('dialog', { name: 'Deleted 2 schedules' }).waitFor();
    const { items } = await stage.world.carillon.schedules.list({ tag: ['spare'] });
    expect(items).toEqual([]);
  });

  test('many get tags and lose others, with counts before and a result for each', async () => {
    await create('spare-4', 'spare-5', 'spare-6');
    const { carillon } = stage.world;
    await carillon.schedules.patch('spare-6', { tags: ['spare', 'kept', 'new'] });
    await using opened = await stage.visit('schedules?q=tag:spare');
    const { page, complaints } = opened;
    await page.getByText('3 schedules', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page
      .getByRole('region', { name: 'Selected schedules' })
      .getByRole('button', { name: 'Tag…' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tag 3 schedules' });
    await dialog.getByText('They have kept, new, spare.').waitFor();
    await dialog.locator('#tags-add:focus').waitFor();
    await page.keyboard.type('new, urgent');
    await dialog.getByText('3 schedules get other tags.').waitFor();
    await dialog.getByLabel('Add').fill('new');
    await dialog.getByText('2 schedules get other tags.').waitFor();
    await dialog.getByText('1 stays as it is.').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Note').fill('sorted');
    // Another person changes one of them meanwhile: its tags are not overwritten.
    await carillon.schedules.patch('spare-5', { tags: ['spare', 'theirs'] });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: '1 of 2 tagged' }).getByText('spare-4').waitFor();
    const tags = async (id: string) => (await carillon.schedules.describe(id)).tags;
    expect(await tags('spare-4')).toEqual(['spare', 'new']);
    expect(await tags('spare-5')).toEqual(['spare', 'theirs']);
    expect(await tags('spare-6')).toEqual(['spare', 'kept', 'new']);
    // The browser tells of the refused change itself.
    expect(complaints.filter((each) => !each.includes('412'))).toEqual([]);
    for (const id of ['spare-4', 'spare-5', 'spare-6']) await carillon.schedules.delete(id);
  });

  test('a slot that did not run is run from its drawer', async () => {
    await using opened = await stage.visit('schedules/refund-reconcile?at=2026-11-01T15:00:00Z');
    const { page } = opened;
    await page.getByRole('button', { name: 'Run this slot now…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 run starts at once.').waitFor();
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
    await page.getByText('Triggered refund-reconcile').waitFor();
    const { items } = await stage.world.carillon.schedules.audit('refund-reconcile');
    expect(items[0]?.action).toBe('trigger');
  });

  test('the theme that was chosen stays after a reload, whatever the system says', async () => {
    await using opened = await stage.visit('schedules', 'light');
    const { page } = opened;
    const ground = async () => await within<string>(page, 'getComputedStyle(document.body).backgroundColor');
    await page.getByText('refund-reconcile').first().waitFor();
    const light = await ground();
    await page.getByRole('button', { name: 'Switch to dark' }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await page.reload();
    await page.getByRole('button', { name: 'Switch to light' }).waitFor();
    expect(await ground()).toBe(dark);
  });

  test('two tabs share one stream, and both hear of a change', async () => {
    await create('told-twice');
    await using opened = await stage.visit('schedules?q=told-twice');
    const { page: first } = opened;
    const second = await first.context().newPage();
    let streams = 0;
    second.on('request', (request) => {
      if (request.url().endsWith('/events')) streams += 1;
    });
    await first.getByText('Live').first().waitFor();
    await second.goto(first.url());
    await second.getByText('Live').first().waitFor();
    await stage.world.carillon.schedules.pause('told-twice', { actor: 'ana' });
    for (const page of [first, second]) await page.getByText('not while paused').waitFor();
    expect(streams).toBe(0);
  });

  test('all of it works below a prefix, in a server of another program', async () => {
    const carillon = await openCarillon('memory:');
    carillon.handle('work', () => 'done');
    await carillon.schedules.create('nightly', { cron: '0 2 * * *', zone: 'UTC', run: 'work' });
    const authenticate = async () => ({ actor: 'ana', role: 'admin' as const });
    const mounted = await mountCarillon({
      carillon,
      basePath: '/tools/carillon',
      authenticate,
      drainMs: 100,
    });
    const server = createServer(mounted.handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools/carillon`;
    try {
      await using opened = await visit(stage.browser, `${base}/`);
      const { page, complaints } = opened;
      await page.getByRole('heading', { level: 1 }).getByText('schedule').first().waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/tools\/carillon\/ui\/default\/?$/);
      await page
        .getByRole('link', { name: /^Schedules/ })
        .first()
        .click();
      await page.getByRole('link', { name: /nightly/ }).click();
      await page.getByText('What should happen').waitFor();
      expect(new URL(page.url()).pathname).toBe('/tools/carillon/ui/default/schedules/nightly');
      await page.getByText('Live').first().waitFor();
      await page.reload();
      await page.getByText('What should happen').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await mounted.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await carillon.stop();
    }
  });
});

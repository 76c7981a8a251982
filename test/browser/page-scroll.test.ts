/** A long list is left and found again where it was: by Back, by Forward, after a reload. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { buildOnce, visit, within } from './page-stage.ts';

describe.skipIf(withoutChromium)('a long list', () => {
  let browser: Browser;
  let stage: DoorStage;
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    stage = await DoorStage.open();
    await Promise.all(
      Array.from({ length: 400 }, (_, number) =>
        stage.carillon.schedules.create(nameOf(number), { cron: '0 3 * * *', run: 'work' }),
      ),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.[Symbol.asyncDispose]();
  });
  const nameOf = (number: number) => `job-${String(number).padStart(3, '0')}`;
  const heightOf = async (page: Page) => await within<number>(page, 'Math.round(scrollY)');
  const open = async () => await visit(browser, `${stage.server.url}/ui/default/schedules?sort=id`);
  /** Scrolls until the row is on the screen. By script, because a wheel may go on turning after it was asked for. */
  const scrollTo = async (page: Page, name: string) => {
    await page.getByText(nameOf(0)).first().waitFor();
    while ((await page.getByText(name, { exact: true }).count()) === 0) {
      await within(page, 'scrollBy(0, 400); new Promise(requestAnimationFrame)');
    }
    await page.getByText(name, { exact: true }).scrollIntoViewIfNeeded();
  };

  test('is where it was after Back, without being read from its beginning', async () => {
    await using opened = await open();
    const { page } = opened;
    await scrollTo(page, 'job-250');
    const height = await heightOf(page);
    expect(height).toBeGreaterThan(5000);
    await page.getByText('job-250', { exact: true }).click();
    await page.getByRole('heading', { name: 'job-250' }).waitFor();
    expect(await heightOf(page)).toBe(0);
    await stage.carillon.schedules.pause('job-250', { note: 'meanwhile' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goBack();
    await page.getByText('job-250', { exact: true }).waitFor();
    expect(await heightOf(page)).toBe(height);
    // What happened meanwhile is read for the rows on the screen, and for no others.
    await page.getByRole('row').filter({ hasText: 'job-250' }).getByText('not while paused').waitFor();
    const lists = asked.filter((url) => /\/schedules\?/.test(url));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((url) => !url.includes('after='))).toEqual([]);
    // The place in the rail is the top of the list.
    await page
      .getByRole('link', { name: /^Schedules/ })
      .first()
      .click();
    await page.getByText(nameOf(0)).first().waitFor();
    expect(await heightOf(page)).toBe(0);
  });

  test('is where it was after a reload', async () => {
    await using opened = await open();
    const { page } = opened;
    await scrollTo(page, 'job-200');
    const height = await heightOf(page);
    await page.reload();
    await page.getByText('job-200', { exact: true }).waitFor();
    await expect.poll(async () => await heightOf(page)).toBe(height);
  });
});

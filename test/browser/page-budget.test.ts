/** What a first look at each screen costs, that the frame is there before the script, and what becomes of parts that are gone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenWeights } from '../../scripts/page-weight.mjs';
import { newContext, PageStage, within } from './page-stage.ts';

/** In KB, gzipped: the page, its styles and scripts, without data. The budget of 150 KB has room for what the screen asks for. */
const mostKb: Readonly<Record<string, number>> = {
  schedules: 125,
  'schedules/$id': 145,
  // They compute times as the scheduler does, with its own parser, search and zone tables.
  'schedules/new': 185,
  'schedules/$id/edit': 185,
  playground: 180,
};
const mostOfOthers = 135;

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

describe('the first load of a screen', () => {
  test('stays below its bound, from the built files', () => {
    const weights = screenWeights();
    expect(weights).toHaveLength(13);
    const above = weights.flatMap(({ screen, bytes }) => {
      const most = mostKb[screen] ?? mostOfOthers;
      return bytes <= most * 1024 ? [] : [`/${screen} is ${(bytes / 1024).toFixed(1)} KB, at most ${most}`];
    });
    expect(above).toEqual([]);
  });

  test('takes at most six requests until the list is there', async () => {
    const context = await newContext(stage.browser, { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (!document.body?.textContent.includes('invoice-sync')) return;
        observer.disconnect();
        globalThis.asked = performance.getEntriesByType('resource').map(({ name }) => name);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    `);
    await page.goto(`${stage.world.url}/ui/default/schedules`);
    await expect.poll(() => within(page, 'globalThis.asked !== undefined')).toBe(true);
    const asked = await within<readonly string[]>(page, 'globalThis.asked');
    // The page itself is not among them, and the event stream is a connection that stays.
    expect(1 + asked.filter((name) => !name.endsWith('/events')).length).toBeLessThanOrEqual(6);
    await context.close();
  });

  const screens = [
    ['', 'Needs you'],
    ['schedules', 'New schedule'],
    ['schedules/invoice-sync', 'What should happen'],
    ['schedules/invoice-sync/edit', 'Edit invoice-sync'],
    ['runs', 'Everything that was started'],
    ['hosts', 'Producers read the world'],
    ['audit', 'who, through which door'],
    ['settings', 'Namespaces'],
  ] as const;
  test.each(screens)('/%s uses what was asked for before its script was there', async (path, text) => {
    await using opened = await stage.visit(path);
    const { page, complaints } = opened;
    await page.getByText(text).first().waitFor();
    await expect.poll(() => within(page, '[...globalThis.carillonEarly.keys()]')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('asks with the key that the browser keeps', async () => {
    const context = await newContext(stage.browser);
    const page = await context.newPage();
    await page.addInitScript("sessionStorage.setItem('carillon.key', 'a-key')");
    const first = page.waitForRequest('**/schedules?sort=attention**');
    await page.goto(`${stage.world.url}/ui/default/schedules`);
    expect((await first).headers().authorization).toBe('Bearer a-key');
    await context.close();
  });
});

describe('the frame', () => {
  test.each(['light', 'dark', 'phone'] as const)(
    'is painted before the script is there, in %s',
    async (look) => {
      const context = await newContext(stage.browser, {
        viewport: look === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        colorScheme: look === 'dark' ? 'dark' : 'light',
      });
      const page = await context.newPage();
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/assets/index-*.js', async (route) => {
        await isReleased;
        await route.continue();
      });
      await page.goto(`${stage.world.url}/ui/default/schedules`, { waitUntil: 'commit' });
      await expect
        .poll(() => within(page, "performance.getEntriesByName('first-contentful-paint').length"))
        .toBe(1);
      const rail = page.locator(look === 'phone' ? '.tabbar [aria-current]' : '.rail [aria-current]');
      expect(await rail.textContent()).toBe('Schedules');
      const place = await rail.boundingBox();
      const ground = await within(page, 'getComputedStyle(document.body).backgroundColor');
      release();
      await page.getByText('invoice-sync').first().waitFor();
      // It stays where it was, in the same colours.
      expect(await rail.boundingBox()).toEqual(place);
      expect(await within(page, 'getComputedStyle(document.body).backgroundColor')).toBe(ground);
      await context.close();
    },
  );
});

describe('keys on the painted frame', () => {
  /** The page without its script, which comes when it is released. */
  async function painted(path: string): Promise<{ readonly page: Page; readonly release: () => void }> {
    const context = await newContext(stage.browser, { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/index-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto(`${stage.world.url}/ui/default/${path}`, { waitUntil: 'commit' });
    await page.getByText('Find or do…').waitFor();
    return { page, release };
  }

  test('open the palette with what was typed, as soon as it can be', async () => {
    const { page, release } = await painted('');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('invoice-sync 03:30');
    release();
    const field = page.getByRole('combobox', { name: 'Find or do anything' });
    await field.waitFor();
    expect(await field.inputValue()).toBe('invoice-sync 03:30');
    await page.getByText('It was skipped because').first().waitFor();
    // What is typed from here on follows it.
    await page.keyboard.press('Backspace');
    await expect.poll(() => field.inputValue()).toBe('invoice-sync 03:3');
    await page.context().close();
  });

  test('go to a place, or into the field of the list', async () => {
    const { page, release } = await painted('');
    await page.keyboard.type('gs');
    release();
    await page.getByRole('heading', { name: 'Schedules', exact: true }).waitFor();
    await page.context().close();
    const list = await painted('schedules');
    await list.page.keyboard.type('/invoice');
    list.release();
    await expect.poll(() => list.page.getByLabel('Find schedules').inputValue()).toBe('invoice');
    await list.page.context().close();
  });

  test('and the pointer too: the field opens the palette, a place is a link', async () => {
    const { page, release } = await painted('');
    await page.getByText('Find or do…').click();
    release();
    await page.getByRole('combobox', { name: 'Find or do anything' }).waitFor();
    await page.context().close();
    const other = await painted('schedules');
    const link = other.page.locator('.rail [data-to="calendar"]');
    expect(await link.getAttribute('href')).toBe('/ui/default/calendar');
    other.release();
    await other.page.context().close();
  });

  test('Escape ends what is not loaded yet', async () => {
    const { page, release } = await painted('');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.keyboard.type('gs');
    release();
    await page.getByRole('heading', { name: 'Schedules', exact: true }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Find or do anything' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('a part that is not there', () => {
  /** The list, with files of other parts answered by the given function from the beginning. */
  async function listWithout(files: string): Promise<Page> {
    const context = await newContext(stage.browser, { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.route(`**/assets/${files}`, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${stage.world.url}/ui/default/schedules`);
    await page.getByText('invoice-sync').first().waitFor();
    return page;
  }

  test('after a new version of the server leads to a reload', async () => {
    const page = await listWithout('Runs-*.js');
    await page.route('**/ui/', (route) => route.fulfill({ body: '<script src="newer.js"></script>' }));
    await page.getByRole('link', { name: /^Runs/ }).first().click();
    await page.getByRole('heading', { name: 'A newer version of this page is there' }).waitFor();
    await page.unroute('**/assets/Runs-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Everything that was started').waitFor();
    await page.context().close();
  });

  test('while the server is away can be asked for again, and the rest of the page works', async () => {
    const page = await listWithout('Runs-*.js');
    await page.route('**/ui/', (route) => route.abort());
    await page.getByRole('link', { name: /^Runs/ }).first().click();
    await page.getByRole('heading', { name: 'This part is not loaded yet' }).waitFor();
    await page
      .getByRole('link', { name: /^Schedules/ })
      .first()
      .click();
    await page.getByText('invoice-sync').first().waitFor();
    await page.getByRole('link', { name: /^Runs/ }).first().click();
    await page.getByRole('heading', { name: 'This part is not loaded yet' }).waitFor();
    await page.unroute('**/assets/Runs-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Everything that was started').waitFor();
    await page.context().close();
  });

  test('leaves the screen below it when it is a dialog', async () => {
    const page = await listWithout('Palette-*.js');
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').getByText('This part could not be loaded.').waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('invoice-sync').first().waitFor();
    await page.context().close();
  });

  test('was loaded before when the page had time for it', async () => {
    const context = await newContext(stage.browser, { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const loaded = page.waitForResponse('**/assets/Hosts-*.js');
    const last = page.waitForResponse('**/assets/Settings-*.js');
    await page.goto(`${stage.world.url}/ui/default/schedules`);
    await Promise.all([loaded, last]);
    await page.route('**/assets/**', (route) => route.abort());
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find or do anything' }).waitFor();
    await context.close();
  });
});

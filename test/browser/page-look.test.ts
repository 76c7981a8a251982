/** The page in narrow and enlarged windows, with wide text, fingers and the keyboard, and axe in open states and error states. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { DoorStage } from '../door/door-stage.ts';
import { withoutChromium } from '../support/chromium.ts';
import type { Look } from './page-stage.ts';
import { PageStage, screens, violations, within } from './page-stage.ts';

const places = [
  ['', 'What became of every slot'],
  ['schedules', 'refund-reconcile'],
  ['schedules/invoice-sync', 'What should happen'],
  ['schedules/inventory-snapshot/edit', 'Next 10'],
  ['runs', 'the latest start first'],
  ['calendar', 'Storage moves on Monday'],
  ['calendar?view=week', 'What happens'],
  ['hosts', 'One run at a time'],
  ['clock', 'inventory-snapshot'],
  ['audit', 'After the outage'],
  ['playground', 'In each dialect'],
  ['settings', 'What is kept'],
] as const;

/** What stands beyond the right edge of the window and cannot be scrolled to. Run in the page. */
const beyond = `(() => {
  const room = document.documentElement.clientWidth;
  const scrolls = (element) => {
    for (let each = element; each !== null; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowX) || each.matches('.sr, canvas, .tl-over, .tl-mini')) return true;
    return false;
  };
  const found = document.documentElement.scrollWidth > room ? ['the page scrolls sideways'] : [];
  for (const element of document.querySelectorAll('body *')) {
    const { right, width } = element.getBoundingClientRect();
    if (width > 1 && right > room + 1 && !scrolls(element) && getComputedStyle(element).visibility !== 'hidden')
      found.push(element.tagName + '.' + (element.className.baseVal ?? element.className) + ' ends at ' + Math.round(right));
  }
  return found.slice(0, 5);
})()`;

/** Tables of runs that have to be scrolled sideways. Run in the page. */
const tooWide = `[...document.querySelectorAll('.scroll-x:has(.runs)')].map((each) => each.scrollWidth - each.clientWidth).filter((over) => over > 0)`;

/** Controls that are lower or narrower than a finger needs, or a pointer; links in running text are text. Run in the page. */
const tooSmall = `((least) => {
  const small = [];
  for (const element of document.querySelectorAll('button, select, input, textarea, summary, a.btn, .tabbar a, .rail a, .menu > *')) {
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    if (width < 2 || element.closest('.sr') || element.matches('button.link, .opt input, .plain-select')) continue;
    if (getComputedStyle(element).opacity === '0') continue;
    if (width < least - 0.5 || height < least - 0.5)
      small.push((element.getAttribute('aria-label') ?? element.textContent).trim() + ': ' + Math.round(width) + ' × ' + Math.round(height));
  }
  return [...new Set(small)];
})`;

/** Words on buttons and in titles that their box cuts off. Run in the page. */
const cut = `[...document.querySelectorAll('button, a.btn, h1, h2, h3, .chip, .pill, .tag, th, .seg > *')]
  .filter((each) => each.clientWidth > 2 && !each.closest('.sr, .truncate') && getComputedStyle(each).overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent.trim())`;

/** What has the focus, and whether a ring of at least two pixels is around it or around the field it stands in. Run in the page. */
const ringed = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const ringOf = (each) => { const { outlineStyle, outlineWidth } = getComputedStyle(each); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2; };
  const around = [element, element.closest('.query, .choice, .opt, .palette, .tl-mini')].filter((each) => each !== null);
  return [around.some(ringOf), element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60)];
})()`;

describe.skipIf(withoutChromium)('the page', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  const go = async (page: Page, path: string, text: string) => {
    await page.goto(`${stage.world.url}/ui/default/${path}`);
    await page.getByText(text).first().waitFor();
  };

  test.each([
    ['enlarged four times', 320, 256],
    ['on a tablet', 768, 1024],
    ['on a small laptop', 1024, 768],
    ['on a laptop', 1280, 800],
    ['on a large display', 1920, 1080],
  ])('keeps everything within reach %s', async (_, width, height) => {
    await using opened = await stage.visit('', 'light', { viewport: { width, height } });
    const found: string[] = [];
    for (const [path, text] of places) {
      await go(opened.page, path, text);
      found.push(...(await within<string[]>(opened.page, beyond)).map((each) => `/${path}: ${each}`));
      const over = await within<number[]>(opened.page, tooWide);
      found.push(...over.map((each) => `/${path}: a table of runs is ${each} px too wide`));
    }
    expect(found).toEqual([]);
  });

  test('has room for text with wide spacing', async () => {
    await using opened = await stage.visit('', 'light', { bypassCSP: true });
    const { page } = opened;
    const found: string[] = [];
    for (const [path, text] of places) {
      await go(page, path, text);
      await page.addStyleTag({
        content:
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      });
      for (const what of [beyond, cut])
        found.push(...(await within<string[]>(page, what)).map((each) => `/${path}: ${each}`));
    }
    expect(found).toEqual([]);
  });

  test.each([
    ['a finger', 'phone', 34],
    ['a pointer', 'light', 24],
  ] as const)('has controls large enough for %s', async (_, look, least) => {
    await using opened = await stage.visit('', look);
    const small: string[] = [];
    for (const [path, text] of places) {
      await go(opened.page, path, text);
      const found = await within<string[]>(opened.page, `${tooSmall}(${least})`);
      small.push(...found.map((each) => `/${path}: ${each}`));
    }
    expect(small).toEqual([]);
  });

  test.each(['light', 'phone'] as const)(
    'shows the whole menu in %s, and gives the focus back',
    async (look) => {
      await using opened = await stage.visit('schedules/sitemap-refresh', look);
      const { page } = opened;
      const button = page.getByRole('button', { name: 'More actions' });
      await button.click();
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
      const reached = await within<boolean[]>(
        page,
        `[...document.querySelectorAll('[role=menuitem]')].map((item) => {
          const { x, y, width, height } = item.getBoundingClientRect();
          return item.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        })`,
      );
      expect(reached).toEqual([true, true]);
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Delete sitemap-refresh' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((each) => each.matches(':focus'))).toBe(true);
    },
  );

  test.each([
    ['schedules', 'refund-reconcile'],
    ['schedules/invoice-sync', 'What should happen'],
    ['calendar', 'Storage moves on Monday'],
    ['settings', 'What is kept'],
  ])('/%s shows where the focus is at every stop', async (path, text) => {
    await using opened = await stage.visit(path, 'light');
    const { page } = opened;
    await page.getByText(text).first().waitFor();
    const without: string[] = [];
    let stops = 0;
    for (; stops < 150; stops += 1) {
      await page.keyboard.press('Tab');
      const now = await within<readonly [boolean, string] | undefined>(page, ringed);
      if (now === undefined) break;
      if (!now[0]) without.push(now[1]);
    }
    expect(stops).toBeGreaterThan(15);
    expect(without).toEqual([]);
  });

  describe.each(['light', 'dark', 'phone'] as const)('in %s', (look: Look) => {
    const clean = async (page: Page, name: string) => {
      await page.screenshot({ path: `${screens}${name}-${look}.png` });
      expect([name, ...(await violations(page))]).toEqual([name]);
    };

    test('is clean with menus, tooltip, toast, choices and a run open', async () => {
      await using opened = await stage.visit('schedules', look);
      const { page } = opened;
      await page.getByText('refund-reconcile').first().waitFor();
      if (look === 'phone') {
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('dialog', { name: 'More' }).waitFor();
        await clean(page, 'more');
      } else {
        await page.getByRole('button', { name: 'Actions for invoice-sync' }).click();
        await page.getByRole('menuitem').first().waitFor();
        await clean(page, 'row-menu');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /^Times/ }).click();
        await page.getByRole('menuitemradio').first().waitFor();
        await clean(page, 'times');
      }
      await go(page, 'schedules/audit-refresh', 'What should happen');
      const timeline = page.getByRole('application');
      const box = await timeline.boundingBox();
      if (box === null) throw new Error('the timeline has no place');
      await page.mouse.move(box.x + box.width * 0.6, box.y + 100);
      await page.locator('.tip').waitFor();
      await clean(page, 'tooltip');
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: 'Trigger…' }).click();
      await page.getByRole('dialog').getByText('What will happen').waitFor();
      await clean(page, 'trigger');
      await page.getByRole('dialog').getByRole('button', { name: 'Trigger', exact: true }).click();
      await page.getByText('Triggered audit-refresh').waitFor();
      await clean(page, 'toast');
      await go(page, 'runs?is=failed', 'the latest start first');
      const run = page.locator('td a[href*="/runs/"]').filter({ visible: true });
      await page.goto(new URL((await run.first().getAttribute('href')) ?? '', page.url()).href);
      await page.getByRole('region', { name: 'Attempts' }).waitFor();
      await page.getByRole('region', { name: 'How it came about' }).waitFor();
      await clean(page, 'run');
      await page.getByRole('button', { name: 'Run again…' }).click();
      await page.getByRole('dialog').getByText('What will happen').waitFor();
      await clean(page, 'run-again');
    });

    test('is clean when nothing is found, a part fails, and the server is gone', async () => {
      await using opened = await stage.visit('schedules?q=zzzz', look);
      const { page } = opened;
      await page.getByText(/^None of/).waitFor();
      await clean(page, 'no-match');
      await go(page, 'schedules/nothing-here', 'cannot be found');
      await clean(page, 'not-found');
      await go(page, 'schedulez', 'No place is called');
      await clean(page, 'lost');
      await page.route('**/series?**', async (route) => await route.fulfill({ status: 503, body: '{}' }));
      await go(page, '', 'could not be read');
      await clean(page, 'failed');
      await using away = await DoorStage.open();
      await away.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
      await page.goto(`${away.server.url}/ui/default/schedules`);
      await page.getByText('hourly').first().waitFor();
      await away.server.stop();
      await page.getByText('The server has not answered for').waitFor();
      await clean(page, 'offline');
    });

    test('is clean at the sign-in, for those who may only look, and when nothing is there yet', async () => {
      const secret = 'crl_viewer-key-of-the-look-0123456789abcdef';
      await using locked = await DoorStage.open({
        keys: [{ name: 'looker', hash: hashKey(secret), role: 'viewer' }],
      });
      await using opened = await stage.visit(`${locked.server.url}/ui/default/schedules`, look);
      const { page } = opened;
      await page.getByLabel('API key').waitFor();
      await clean(page, 'sign-in');
      await page.getByLabel('API key').fill('crl_not-a-key');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('alert').waitFor();
      await clean(page, 'sign-in-refused');
      await page.getByLabel('API key').fill(secret);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('Your key may only look.').waitFor();
      await clean(page, 'nothing-yet');
      await locked.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
      await page.goto(`${locked.server.url}/ui/default/schedules/hourly`);
      await page.getByText('What should happen').waitFor();
      await clean(page, 'viewer');
    });
  });
});

/** Every screen in light, dark and on a phone: clean for axe, nothing from other hosts, a picture of each. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutChromium } from '../support/chromium.ts';
import type { Look } from './page-stage.ts';
import { PageStage, screens, violations, within } from './page-stage.ts';

/** The solid colours in the row of slots of the timeline, as `r g b`. Run in the page. */
const slotColours = `(() => {
  const canvas = document.querySelector('.timeline canvas');
  const { data } = canvas.getContext('2d').getImageData(72, 92, canvas.width - 72, 20);
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 255) continue;
    const colour = data[i] + ' ' + data[i + 1] + ' ' + data[i + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 30).map(([colour]) => colour);
})()`;

/** A system colour as `r g b`. Run in the page. */
const systemColour = `(name) => {
  const probe = document.createElement('i');
  probe.style.color = name;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).join(' ');
  probe.remove();
  return colour;
}`;

/** Cuts the marks out of a picture of all of them and names those that look alike. Run in the page. */
const comparing = `async (picture) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const grid = document.querySelector('[data-marks]').getBoundingClientRect();
  const scale = image.width / grid.width;
  const marks = [...document.querySelectorAll('[data-marks] svg')].map((mark) => {
    const box = mark.getBoundingClientRect();
    const cut = (at) => Math.round(at * scale);
    return context.getImageData(cut(box.x - grid.x - 3), cut(box.y - grid.y - 3), cut(18), cut(18)).data;
  });
  const alike = [];
  for (let a = 0; a < marks.length; a += 1) {
    for (let b = a + 1; b < marks.length; b += 1) {
      let different = 0;
      for (let i = 0; i < marks[a].length; i += 4) {
        const apart = [0, 1, 2].map((channel) => Math.abs(marks[a][i + channel] - marks[b][i + channel]));
        if (Math.max(...apart) > 40) different += 1;
      }
      if (different < 24) alike.push(a + ' and ' + b + ' differ in ' + different + ' points');
    }
  }
  return marks.length < 25 ? ['too few marks: ' + marks.length] : alike;
}`;

const places = [
  ['overview', '', 'What became of every slot'],
  ['schedules', 'schedules', 'refund-reconcile'],
  ['schedule', 'schedules/invoice-sync', 'What should happen'],
  ['month', 'schedules/invoice-sync?zoom=month', 'above the line'],
  ['table', 'schedules/invoice-sync?slots=table', 'Because'],
  ['why', 'schedules/invoice-sync?at=2026-11-01T08:30:00Z', 'How it came about'],
  ['edit', 'schedules/inventory-snapshot/edit', 'Next 10'],
  ['new', 'schedules/new', 'What should run'],
  ['runs', 'runs', 'the latest start first'],
  ['runs-by-slot', 'runs?schedule=invoice-sync&by=slot', 'the latest slot first'],
  ['calendar', 'calendar', 'Storage moves on Monday'],
  ['calendar-day', 'calendar?view=day', 'On this day'],
  ['calendar-week', 'calendar?view=week&date=2026-11-04', 'stays paused'],
  ['hosts', 'hosts', 'One run at a time'],
  ['clock', 'clock', 'inventory-snapshot'],
  ['audit', 'audit', 'After the outage'],
  ['playground', 'playground', 'In each dialect'],
  ['settings', 'settings', 'What is kept'],
] as const;

describe.skipIf(withoutChromium)('every screen', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  describe.each(['light', 'dark', 'phone'] as const)('in %s', (look: Look) => {
    test.each(places)('%s is clean', async (name, path, text) => {
      await using opened = await stage.visit(path, look);
      const { page, complaints } = opened;
      await page.getByText(text).first().waitFor();
      await page.screenshot({ path: `${screens}${name}-${look}.png` });
      expect(await violations(page)).toEqual([]);
      const root = 'document.documentElement';
      expect(await within(page, `${root}.scrollWidth - ${root}.clientWidth`)).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  test.each(['light', 'dark', 'phone'] as const)(
    'selection, dialog, palette, drawer, menu and keys are clean as well in %s',
    async (look: Look) => {
      const clean = async (page: Page, name: string) => {
        await page.screenshot({ path: `${screens}${name}-${look}.png` });
        expect([name, ...(await violations(page))]).toEqual([name]);
      };
      await using opened = await stage.visit('schedules?q=audit-refresh', look);
      const { page } = opened;
      await page.getByText('1 schedule').first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await clean(page, 'selection');
      await page.getByRole('button', { name: 'Pause…' }).click();
      await page.getByText('What will happen').waitFor();
      await clean(page, 'pause');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or do anything' }).fill('invoice-sync 03:30');
      await page.getByText('It was skipped').first().waitFor();
      await clean(page, 'palette');
      await page.keyboard.press('Enter');
      await page.getByText('How it came about').waitFor();
      await clean(page, 'drawer');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Backfill…' }).click();
      await page.getByRole('dialog').getByText('Skipped: overlap').first().waitFor();
      await clean(page, 'backfill');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByText('Delete…').waitFor();
      await clean(page, 'menu');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await clean(page, 'keys');
    },
  );

  test('the marks are told apart in grey and by people who see fewer colours', async () => {
    await using opened = await stage.visit('settings', 'light', { deviceScaleFactor: 2 });
    const { page } = opened;
    await page.getByText('The marks').waitFor();
    const cdp = await page.context().newCDPSession(page);
    for (const type of ['achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia'] as const) {
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type });
      const grid = page.locator('[data-marks]');
      const picture = await grid.screenshot();
      const same = await within<string[]>(page, `(${comparing})('${picture.toString('base64')}')`);
      expect(same).toEqual([]);
    }
  });

  test.each(['light', 'phone'] as const)('the tiles of a schedule fill their rows in %s', async (look) => {
    await using opened = await stage.visit('schedules/invoice-sync?at=2026-11-01T08:30:00Z', look);
    const { page } = opened;
    await page.getByText('How it came about').waitFor();
    const ends = await within<readonly number[]>(
      page,
      `(() => {
        const tiles = [...document.querySelector('.stats').children].map((tile) => tile.getBoundingClientRect());
        const rows = Map.groupBy(tiles, ({ top }) => top);
        return [...rows.values()].map((row) => Math.round(Math.max(...row.map(({ right }) => right))));
      })()`,
    );
    expect(ends.length).toBeGreaterThan(1);
    expect(new Set(ends).size).toBe(1);
  });

  test("a person's own colours draw the timeline and tell what is chosen", async () => {
    await using opened = await stage.visit('schedules/invoice-sync', 'light', { forcedColors: 'active' });
    const { page } = opened;
    await page.locator('.timeline').waitFor();
    await page.screenshot({ path: `${screens}schedule-forced.png` });
    const [ground, ink, other] = await Promise.all(
      ['Canvas', 'CanvasText', 'LinkText'].map((name) => within(page, `(${systemColour})('${name}')`)),
    );
    // Bodies with a ground around them, and marks of a family that is not theirs.
    await expect.poll(() => within(page, slotColours)).toEqual(expect.arrayContaining([ground, ink, other]));
    const groundOf = async (isPressed: boolean) =>
      await within<string>(
        page,
        `getComputedStyle(document.querySelector('.seg [aria-pressed="${isPressed}"]')).backgroundColor`,
      );
    expect(await groundOf(true)).not.toBe(await groundOf(false));
  });
});

/** The calendar and the audit, with a real clock: a herd is spread, and the audit tells the page from a shell and a program. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { buildOnce, violations, visit, within } from './page-stage.ts';

const herd = Array.from({ length: 9 }, (_, place) => `herd-${place}`);

describe.skipIf(withoutChromium)('the calendar', () => {
  let door: DoorStage;
  let browser: Awaited<ReturnType<typeof openChromium>>;
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    door = await DoorStage.open();
    for (const id of herd) await door.create(id, { every: undefined, cron: '0 4 * * *', zone: 'Asia/Tokyo' });
    await door.create('a-schedule-with-a-long-name', {
      every: undefined,
      cron: '30 2 * * 0',
      zone: 'America/New_York',
    });
  });
  afterAll(async () => {
    await browser?.close();
    await door?.[Symbol.asyncDispose]();
  });

  test('what starts together is spread: which schedules, what it does, and what became of it', async () => {
    await using opened = await visit(browser, `${door.server.url}/ui/default/calendar`);
    const { page, complaints } = opened;
    const card = page.getByRole('region', { name: /^Spread/ });
    await card.getByText(/brings the busiest minute from 9 to [1-5] starts/).waitFor();
    await card.getByRole('button', { name: '15 min' }).click();
    await card.getByText('A jitter of 15 min').waitFor();
    await card.getByRole('button', { name: 'Give them this jitter…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What will happen').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('herd-8').uncheck();
    const command = 'for id in herd-0 herd-1 herd-2 herd-3 herd-4 herd-5 herd-6 herd-7; do';
    await dialog.getByText(command).waitFor();
    await dialog.getByRole('button', { name: 'Give 8 schedules a jitter' }).click();
    await page.getByText('8 schedules have a jitter of 15 min now').waitFor();
    for (const id of herd) {
      const { spec } = (await door.call(`/schedules/${id}`)).body;
      expect(spec.jitterMs ?? 0, id).toBe(id === 'herd-8' ? 0 : 900_000);
    }
    expect(complaints).toEqual([]);
  });

  test.each([320, 390])(
    'on a screen of %i px the views stand in one line, and no text covers another',
    async (width) => {
      const small = { viewport: { width, height: 800 } };
      await using opened = await visit(browser, `${door.server.url}/ui/default/calendar`, 'phone', small);
      const { page, complaints } = opened;
      const views = page.getByRole('group', { name: 'Shape' }).getByRole('button');
      await views.first().waitFor();
      const tops = await views.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      const search = await page.getByLabel('Which schedules').boundingBox();
      expect((search?.x ?? width) + (search?.width ?? 0)).toBeLessThanOrEqual(width - 16);
      await page.goto(`${door.server.url}/ui/default/clock`);
      const cells = page.getByRole('row').nth(1).getByRole('cell');
      await cells.first().waitFor();
      const cut = await cells.evaluateAll(
        (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
      );
      expect(cut).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  test('each cell of the load says its count to the keyboard, and to a tap', async () => {
    const address = `${door.server.url}/ui/default/calendar?view=week`;
    await using opened = await visit(browser, address);
    const { page, complaints } = opened;
    const heat = page.getByRole('grid', { name: 'Starts by hour and weekday' });
    const first = heat.getByRole('gridcell', { name: /^Mon .* 00:00: \d+ at once, \d+ starts?/ });
    await first.waitFor();
    // One stop of Tab for all cells.
    expect(await heat.locator('td[tabindex="0"]').count()).toBe(1);
    await first.focus();
    const tip = page.locator('.tip');
    await tip.getByText(/ 00:00: /).waitFor();
    await page.keyboard.press('ArrowRight');
    await tip.getByText(/^Mon .* 01:00: /).waitFor();
    await page.keyboard.press('ArrowDown');
    await tip.getByText(/^Tue .* 01:00: /).waitFor();
    await page.keyboard.press('End');
    await tip.getByText(/^Tue .* 23:00: /).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await using phone = await visit(browser, address, 'phone');
    await phone.page
      .getByRole('gridcell', { name: / 03:00: / })
      .first()
      .tap();
    await phone.page
      .locator('.tip')
      .getByText(/^Mon .* 03:00: \d+ at once/)
      .waitFor();
  });

  test('a search without a match says so of the clock changes too, and shows all again', async () => {
    await using opened = await visit(browser, `${door.server.url}/ui/default/clock?q=nobody`);
    const { page } = opened;
    await page.getByText('No schedule that has “nobody” is touched').waitFor();
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByRole('link', { name: 'a-schedule-with-a-long-name' }).first().waitFor();
    // The button is gone, and the keyboard goes on in the screen, not at the top of the page.
    expect(await within(page, 'document.activeElement.id')).toBe('main');
    await page.getByText('carillon dst', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Runs later/ }).click();
    await page.getByText('carillon dst a-schedule-with-a-long-name', { exact: true }).waitFor();
  });

  test('the way back to today keeps the focus', async () => {
    await using opened = await visit(browser, `${door.server.url}/ui/default/calendar?view=day`);
    const { page } = opened;
    const today = page.getByRole('button', { name: 'Today' });
    await page.getByRole('button', { name: 'Day after' }).press('Enter');
    await expect.poll(async () => await today.getAttribute('aria-disabled')).toBe('false');
    await today.press('Enter');
    await expect.poll(async () => await today.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(async () => await within(page, 'document.activeElement.textContent')).toBe('Today');
  });

  test('the audit says the door, announces changes, and reads an address with a mistake', async () => {
    await using opened = await visit(
      browser,
      `${door.server.url}/ui/default/audit?from=someday&schedule=herd-0`,
    );
    const { page, complaints } = opened;
    await page.getByText('through this page').waitFor();
    await page.getByText('Jitter').waitFor();
    await page.getByText('“spreads the starts of').waitFor();
    await door.call('/schedules/herd-0:pause', {
      body: { note: 'a program paused it' },
      headers: { 'carillon-actor': 'ana' },
    });
    await page.getByRole('button', { name: 'New changes: show' }).press('Enter');
    await page.getByText('“a program paused it”').waitFor();
    expect(await within(page, 'document.activeElement.id')).toBe('main');
    await page.getByLabel('Door').selectOption('page');
    await page.getByText('“a program paused it”').waitFor({ state: 'detached' });
    await page.getByText('carillon audit --schedule herd-0 --door page').waitFor();
    expect(complaints).toEqual([]);
  });
});

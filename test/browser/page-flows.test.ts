/** What people do on the page, from the built files, against a real server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredNote } from '../../packages/carillon/src/client/index.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { DoorStage } from '../door/door-stage.ts';
import { withoutChromium } from '../support/chromium.ts';
import { PageStage, within } from './page-stage.ts';
import { openPageWorld } from './page-world.ts';

describe.skipIf(withoutChromium)('on the page', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  const drawer = (page: Page) => page.getByRole('complementary', { name: 'Why' });

  test('/ leads to the overview, which says how everything is', async () => {
    await using opened = await stage.visit(`${stage.world.url}/`);
    const { page } = opened;
    await page
      .getByRole('heading', { level: 1 })
      .getByText('12 of 15 schedules do what they should.')
      .waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/ui\/default\/?$/);
    const needs = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
    // Worst first: what cannot run at all comes before what runs and fails.
    await needs.first().getByText("waits for a worker that knows 'price.refresh'").waitFor();
    await needs.filter({ hasText: 'refund-reconcile' }).getByText('failed 6 times in a row').waitFor();
    // With the cause, and counted once: by the sentence, by the rail, and by the list it leads to.
    await needs.filter({ hasText: 'refund' }).getByText('TypeError: amount is not a number, for').waitFor();
    await needs.filter({ hasText: 'rollup' }).getByText('(p95), slots come every 1 h').waitFor();
    // A pause is said, and not counted.
    await needs
      .filter({ hasText: 'ledger-rebuild' })
      .getByText('by jonas: “Storage moves on Monday”')
      .waitFor();
    await page.getByRole('link', { name: 'Overview 3' }).waitFor();
    await page.getByRole('link', { name: 'Open as a list' }).click();
    await page.getByText('3 schedules').waitFor();
    await page.getByRole('button', { name: 'Needs attention 3' }).waitFor();
    await page.getByRole('button', { name: 'Skipping 1' }).click();
    await page.getByText('1 schedule', { exact: true }).waitFor();
    await page.getByText('carillon schedule list --attention skipping').waitFor();
  });

  test('times are shown by the clock that was chosen, on every screen and after a reload', async () => {
    await using opened = await stage.visit('schedules?q=invoice-sync');
    const { page } = opened;
    const row = page.getByRole('row').filter({ hasText: 'invoice-sync' });
    await row.getByText('Sun 13:30 EST').waitFor();
    await page.getByRole('button', { name: 'Times: Schedule time' }).click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await row.getByText('Sun 18:30 UTC').waitFor();
    await page.reload();
    await row.getByText('Sun 18:30 UTC').waitFor();
    await page.goto(`${stage.world.url}/ui/default/schedules/invoice-sync?at=2026-11-01T08:30:00Z`);
    await drawer(page).getByText('Sun 1 Nov 2026, 08:30:00 UTC · 09:30 for you').waitFor();
  });

  test('the list is found in by typing, kept in the address, and few nodes are in the document', async () => {
    await using opened = await stage.visit('schedules');
    const { page } = opened;
    await page.getByText('refund-reconcile').first().waitFor();
    await page.getByText('Live').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tag:billing');
    await page.getByText('4 schedules').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('tag:billing');
    expect(await page.getByRole('row').filter({ hasText: 'refund-reconcile' }).count()).toBe(0);
    await page.reload();
    await page.getByText('4 schedules').waitFor();
    expect(await within<number>(page, 'document.querySelectorAll("*").length')).toBeLessThan(2500);
  });

  test('state chips count what the rest of the query finds, and Back takes a click back', async () => {
    await using opened = await stage.visit('schedules?q=tag:billing');
    const { page } = opened;
    const chips = page.getByRole('group', { name: 'State' });
    await chips.getByRole('button', { name: 'All 4' }).waitFor();
    expect(await chips.getByRole('button', { name: /^Failing/ }).count()).toBe(0);
    await chips.getByRole('button', { name: 'Skipping 1' }).click();
    await page.getByText('1 schedule', { exact: true }).waitFor();
    // The other states keep their numbers, so that one can go from one to the next.
    await chips.getByRole('button', { name: 'All 4' }).waitFor();
    await page.goBack();
    await page.getByText('4 schedules').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('tag:billing');
    await page.goForward();
    await page.getByText('1 schedule', { exact: true }).waitFor();
  });

  test('closed schedules are listed too, by name', async () => {
    const { schedules } = stage.world.carillon;
    await schedules.create('gone-for-good', { cron: '0 5 * * *', run: 'quick' }, { actor: 'ana' });
    await schedules.delete('gone-for-good');
    await using opened = await stage.visit('schedules?q=state:closed');
    const { page, complaints } = opened;
    await page.getByRole('row').filter({ hasText: 'gone-for-good' }).getByText('closed').first().waitFor();
    await page.getByText('carillon schedule list --state closed').waitFor();
    expect(complaints).toEqual([]);
  });

  test('the charts of the overview tell each bin, also with the keyboard', async () => {
    await using opened = await stage.visit('');
    const { page } = opened;
    await page.getByRole('img', { name: /slots over time/ }).focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
    await page
      .locator('.tip')
      .getByText(/slots?/)
      .first()
      .waitFor();
    const region = page.getByRole('region', { name: 'The next hour' });
    await region.getByText('a minute').waitFor();
    await region.getByRole('img').focus();
    await page.keyboard.press('ArrowLeft');
    await page
      .locator('.tip')
      .getByText(/\d\d:\d\d: \d+ start/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.tip').waitFor({ state: 'detached' });
  });

  test('a mistyped name finds nothing and brings what was meant', async () => {
    await using opened = await stage.visit('schedules?q=invoce');
    const { page } = opened;
    await page.getByText('None of').waitFor();
    await page.getByRole('button', { name: 'invoice', exact: true }).click();
    await page.getByText('2 schedules').waitFor();
  });

  test('a slot that did not run says why, step by step, and Back closes it', async () => {
    await using opened = await stage.visit('schedules/invoice-sync');
    const { page } = opened;
    const timeline = page.getByRole('application');
    await timeline.waitFor();
    await page.getByRole('region', { name: 'Slots' }).getByText('Skipped', { exact: true }).waitFor();
    await timeline.focus();
    // From now back: merged twice, paused four times, failed, skipped twice.
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('[');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Skipped: the run before it had not ended' }).waitFor();
    await drawer(page).getByText('The overlap policy is skip: a slot is dropped').waitFor();
    // It is the second that the slow run held up: the only place to wait would have been taken.
    await drawer(page).getByText('after 1 other that the same run held up').waitFor();
    await drawer(page).getByText('started after 04:23, behind 1 more').waitFor();
    await drawer(page).getByText('limit: 3').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2026-11-01T09:00:00Z');
    await drawer(page).getByRole('button', { name: 'Slot before' }).click();
    await drawer(page).getByText('03:30:00 EST').first().waitFor();
    await drawer(page).getByText('started at 04:23, 53 min late').waitFor();
    await drawer(page).getByText('started on time, the other ended 03:15').waitFor();
    await page.goBack();
    await drawer(page).waitFor({ state: 'detached' });
  });

  test('the canvas is drawn, zooms to bins, and has a table as its twin', async () => {
    await using opened = await stage.visit('schedules/invoice-sync');
    const { page } = opened;
    await page.getByRole('region', { name: 'Slots' }).getByText('Skipped', { exact: true }).waitFor();
    const colours = `(() => {
      const canvas = document.querySelector('.timeline canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) seen.add(data[i] + ',' + data[i + 1] + ',' + data[i + 2]);
      return [...seen];
    })()`;
    const seen = await within<string[]>(page, colours);
    for (const colour of ['21,148,104', '184,40,28', '43,116,220']) expect(seen).toContain(colour);
    await page.getByRole('button', { name: 'Month' }).click();
    await page.getByText('above the line: ran').waitFor();
    expect(new URL(page.url()).searchParams.get('zoom')).toBe('month');
    await page.getByRole('button', { name: 'Auto' }).click();
    await page.getByRole('button', { name: 'Table' }).first().click();
    const table = page.getByRole('region', { name: 'Slots as a table' });
    await table.getByRole('row').filter({ hasText: 'Paused' }).getByText('4 slots').waitFor();
  });

  test('a finger pans, two zoom, and the timeline stays where it is', async () => {
    await using opened = await stage.visit('schedules/invoice-sync', 'phone');
    const { page } = opened;
    const timeline = page.getByRole('application');
    await page.getByText('Now running').waitFor();
    await timeline.scrollIntoViewIfNeeded();
    const before = await timeline.boundingBox();
    if (before === null) throw new Error('the timeline has no place');
    const [x, y] = [before.x + before.width / 2, before.y + 60];
    const cdp = await page.context().newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
      await cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: xs.map((at, id) => ({ x: at, y, id })),
      });
    const range = () => {
      const search = new URL(page.url()).searchParams;
      return Date.parse(search.get('to') ?? '') - Date.parse(search.get('from') ?? '');
    };
    await touch('touchStart', x);
    for (let step = 1; step <= 6; step += 1) await touch('touchMove', x + step * 20);
    await touch('touchEnd');
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    await expect.poll(range).toBeGreaterThan(0);
    const panned = range();
    await touch('touchStart', x - 30, x + 30);
    for (let step = 1; step <= 6; step += 1) await touch('touchMove', x - 30 - step * 10, x + 30 + step * 10);
    await touch('touchEnd');
    await expect.poll(range).toBeLessThan(0.8 * panned);
    expect((await timeline.boundingBox())?.y).toBe(before.y);
    await page.touchscreen.tap(x, y + 20);
    await drawer(page).waitFor();
  });

  test('a drawer that opened long ago leaves a way back to now', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?at=2026-10-20T08:30:00Z');
    const { page } = opened;
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.locator('.tl-now').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).waitFor({ state: 'detached' });
    await drawer(page).waitFor();
  });

  test('a click on an empty moment explains that too', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?at=2026-11-01T08:10:00Z');
    await drawer(opened.page).getByRole('heading', { name: 'Not one of its times' }).waitFor();
    await drawer(opened.page).getByRole('button', { name: '03:30 EST is the slot after it.' }).click();
    await drawer(opened.page).getByRole('heading', { name: 'Skipped: the run before it' }).waitFor();
  });

  test('a rule leads to the version and the person that set it', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?at=2026-11-01T14:30:00Z');
    const { page } = opened;
    await drawer(page).getByText('“One run is enough after an outage”').waitFor();
    const policies = page.getByRole('region', { name: 'What should happen' });
    const catchup = policies.getByRole('row').filter({ hasText: 'Catch-up' });
    await catchup.getByRole('link', { name: 'v2' }).waitFor();
    await policies.getByRole('row').filter({ hasText: 'Retry' }).getByText('given').waitFor();
    // The server tells every field; one with its usual value is the default.
    await policies.getByRole('row').filter({ hasText: 'Pause after' }).getByText('default').waitFor();
    await drawer(page)
      .getByRole('link', { name: /version 2 by mara/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.getByText('One run is enough after an outage').waitFor();
  });

  test('the keys go from bin to bin where the view is too wide for slots, and into one', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?zoom=month');
    const { page } = opened;
    const timeline = page.getByRole('application');
    await timeline.focus();
    await page.keyboard.press('[');
    await page.getByText(/4 Paused, 2 Merged into a later one/).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^2026-11-01T08/);
    // The view changed to single slots, and the keys still work.
    await page
      .getByRole('region', { name: 'Slots' })
      .getByText('above the line')
      .waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Back to now' }).waitFor({ state: 'detached' });
  });

  test('what did not run is found beyond what the timeline has loaded', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?zoom=1h');
    const { page } = opened;
    await page.getByRole('button', { name: 'Earlier slot that did not run' }).click();
    await drawer(page).getByRole('heading', { name: 'Merged into a later slot' }).waitFor();
    await drawer(page).press('ArrowRight');
    await drawer(page).getByRole('heading', { name: 'Started late' }).waitFor();
    await using clean = await stage.visit('schedules/digest-morning');
    await clean.page.getByRole('button', { name: 'Earlier slot that did not run' }).click();
    await clean.page.getByText('Nothing earlier that did not run, within 92 days').waitFor();
  });

  test('the attempts of a run are drawn and told on the timeline', async () => {
    await using opened = await stage.visit('schedules/invoice-sync?at=2026-11-01T10:30:00Z');
    const { page } = opened;
    await drawer(page).getByText('It failed after 11 min, in attempt 3.').waitFor();
    await drawer(page).getByText('503 from erp.example').first().waitFor();
    await page.getByRole('application').focus();
    // There and back: the slot is spoken.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page
      .getByText('Run failed. Started, and its run failed after 11 min, in 3 attempts.')
      .waitFor({ state: 'attached' });
  });

  test('a trigger shows its effect, then what happened', async () => {
    await using opened = await stage.visit('schedules/sitemap-refresh');
    const { page } = opened;
    await page.getByRole('button', { name: 'Trigger…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 run starts at once.').waitFor();
    await dialog.getByLabel('Note').fill('to see it run');
    await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
    await page.getByText('Triggered sitemap-refresh').waitFor();
    const { items } = await stage.world.carillon.schedules.audit('sitemap-refresh');
    expect(items[0]).toMatchObject({ action: 'trigger', note: 'to see it run' });
  });

  test('a trigger that would be skipped says so before', async () => {
    await using opened = await stage.visit('schedules/invoice-sync');
    const { page } = opened;
    await page.getByRole('button', { name: 'Trigger…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('skipped: the run before is still going').waitFor();
    await dialog.getByText('Run beside it').click();
    await dialog.getByText('1 run starts at once.').waitFor();
  });

  test('coming slots of a pause, and runs that no worker takes, are not told as starts', async () => {
    await using paused = await stage.visit('schedules/ledger-rebuild');
    const slots = paused.page.getByRole('region', { name: 'Slots' });
    await slots.getByText('Paused then', { exact: true }).waitFor();
    expect(await slots.getByText('Projected', { exact: true }).count()).toBe(0);
    await using waiting = await stage.visit('schedules/price-feed-refresh');
    const where = waiting.page.getByRole('region', { name: 'Where its slots went' });
    await where.getByText('Waits, no worker', { exact: true }).waitFor();
    expect(await where.getByText('Started', { exact: true }).count()).toBe(0);
  });

  test('pause with a note, resume with a choice', async () => {
    await using opened = await stage.visit('schedules/stock-rebuild');
    const { page } = opened;
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    await page.keyboard.press('p');
    await page.getByText('96 slots will be passed over within 1 day.').waitFor();
    await page.getByLabel('Note').fill('inventory day');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('“inventory day”').first().waitFor();
    // No slot fell into the pause, so nothing is asked about them; Enter in the note is the button.
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('dialog').getByText('The schedule resumes.').waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
    await page.getByLabel('Note').fill('done');
    await page.getByLabel('Note').press('Enter');
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect((await stage.world.carillon.schedules.describe('stock-rebuild')).status).toBe('running');
  });

  test('the end of a pause says how many slots fell into it, and what becomes of them', async () => {
    await using opened = await stage.visit('schedules/ledger-rebuild');
    const { page } = opened;
    // The pause of this world has no slot in it.
    await page.route('**/ledger-rebuild:resume?dryRun=true', async (route) => {
      const told = (await (await route.fetch()).json()) as { readonly text: readonly string[] };
      const isOnce = route.request().postData()?.includes('once') === true;
      const text = [...told.text, isOnce ? '1 run starts at once.' : '9 slots stay paused.'];
      await route.fulfill({ json: { ...told, text, verdicts: { paused: 9 } } });
    });
    await page.getByRole('button', { name: 'Resume…' }).click();
    const dialog = page.getByRole('dialog');
    const ways = dialog.getByRole('group', { name: '9 slots fell into the pause' });
    await ways.getByText('9 slots stay paused.').first().waitFor();
    await ways.getByRole('radio', { name: /^The latest 1 run starts at once\./ }).check();
    await dialog.getByText('carillon schedule resume ledger-rebuild --missed once').waitFor();
  });

  test('many at once: counts before, results after', async () => {
    await using opened = await stage.visit('schedules?q=tag:risk');
    const { page } = opened;
    await page.getByText('2 schedules').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByRole('dialog').getByText('2 pause.').waitFor();
    await page.getByRole('dialog').getByText('What will happen', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    const results = page.getByRole('dialog', { name: 'Paused 2 schedules' });
    await results.getByRole('listitem').filter({ hasText: 'audit-refresh' }).getByText('paused').waitFor();
    await results.getByRole('button', { name: 'Close' }).last().click();
    for (const id of ['audit-refresh', 'orders-cleanup']) {
      expect((await stage.world.carillon.schedules.describe(id)).status).toBe('paused');
      await stage.world.carillon.schedules.resume(id);
    }
  });

  test('rows are moved through, selected and paused with the keyboard alone', async () => {
    await using opened = await stage.visit('schedules');
    const { page } = opened;
    await page.getByText('refund-reconcile').first().waitFor();
    // What is typed finds rows, Enter goes to the first of them.
    await page.keyboard.press('/');
    await page.keyboard.type('tag:warehouse');
    await page.keyboard.press('Enter');
    await page.getByText('2 schedules').waitFor();
    await page.locator('.lrow.here').filter({ hasText: 'inventory-snapshot' }).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('p');
    await page.getByRole('dialog').getByText('2 pause.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'inventory-snapshot', exact: true }).waitFor();
  });

  test('a slot that comes while the page is open gets its mark without a reload', async () => {
    // Its own world, because its time goes on.
    await using moving = await openPageWorld();
    await using opened = await stage.visit(`${moving.url}/ui/default/schedules/invoice-sync?slots=table`);
    const { page } = opened;
    const table = page.getByRole('region', { name: 'Slots as a table' });
    await table.getByRole('row').filter({ hasText: 'Running' }).first().waitFor();
    await page.getByText('Live').first().waitFor();
    const { items: before } = await moving.carillon.schedules.slots('invoice-sync', { limit: 1000 });
    await moving.world.advanceUntil('2026-11-01T18:31:00Z');
    await table.getByRole('row').filter({ hasText: '13:30' }).getByText('Running').waitFor();
    const { items: after } = await moving.carillon.schedules.slots('invoice-sync', { limit: 1000 });
    expect(after.length).toBe(before.length + 1);
  });

  test('a list by name stays one when something happens', async () => {
    await using moving = await openPageWorld();
    await using opened = await stage.visit(`${moving.url}/ui/default/schedules?sort=id`);
    const { page, complaints } = opened;
    const row = page.getByRole('row').filter({ hasText: 'invoice-sync' });
    await row.waitFor();
    await page.getByText('Live').first().waitFor();
    const again = page.waitForResponse('**/schedules?sort=id&strip=false**');
    await moving.world.advanceUntil('2026-11-01T18:31:00Z');
    await again;
    await row.getByText('14:00 EST').waitFor();
    expect((await page.getByRole('row').allTextContents())[1]).toContain('audit-refresh');
    expect(complaints).toEqual([]);
  });

  test('a list without a row shows the first schedule by itself, and one more is announced', async () => {
    await using own = await DoorStage.open();
    await using opened = await stage.visit(`${own.server.url}/ui/default/schedules`);
    const { page } = opened;
    await page.getByText('No schedules yet').waitFor();
    await page.getByText('Live').first().waitFor();
    await own.carillon.schedules.create('first', { every: '1h', run: 'work' }, { actor: 'ana' });
    await page.getByRole('row').filter({ hasText: 'first' }).waitFor();
    await own.carillon.schedules.create('another', { every: '1h', run: 'work' }, { actor: 'ana' });
    await page.getByText('1 row would move').waitFor();
    await page.getByRole('button', { name: 'Sort again' }).click();
    await page.getByRole('row').filter({ hasText: 'another' }).waitFor();
  });

  test('a backfill lists its exact slots', async () => {
    await using opened = await stage.visit('schedules/invoice-sync');
    const { page } = opened;
    await page.getByRole('button', { name: 'Backfill…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Skipped: overlap').first().waitFor();
    const slots = dialog.getByRole('list', { name: 'Slots of the range' }).getByRole('listitem');
    // What ran is left out unless it is asked for; what failed is told, and asked for by itself.
    const run = dialog.getByRole('button', { name: /^Run \d+ slots$/ });
    const count = async () => Number(/\d+/.exec((await run.textContent()) ?? '')?.[0]);
    const notRun = await count();
    await slots.getByText(/^and \d+ slots that ran or will run, left out$/).waitFor();
    expect(await slots.filter({ hasText: 'Completed' }).count()).toBe(0);
    await slots.filter({ hasText: 'Skipped: overlap' }).first().getByText('starts about').waitFor();
    await dialog.getByRole('button', { name: 'Failed too' }).click();
    await expect.poll(count).toBeGreaterThan(notRun);
    await slots.filter({ hasText: 'Failed' }).first().getByText('starts about').waitFor();
    await dialog.getByRole('button', { name: 'Did not run' }).click();
    await expect.poll(count).toBe(notRun);
    await dialog.getByRole('button', { name: 'All', exact: true }).click();
    await slots.filter({ hasText: 'Running' }).waitFor();
    const all = await slots.count();
    await dialog.getByRole('button', { name: `Run ${all} slots` }).waitFor();
    await dialog.getByText(/^about .* done by (\w+ \d+ \w+ )?\d\d:\d\d$/).waitFor();
    await slots.first().getByRole('checkbox').uncheck();
    await dialog.getByRole('button', { name: `Run ${all - 1} slots` }).waitFor();
  });

  test('slots of a backfill are left out one by one', async () => {
    const { carillon } = stage.world;
    await carillon.schedules.create('hourly-copy', {
      cron: '0 * * * *',
      run: 'quick',
      paused: 'for the test',
    });
    await using opened = await stage.visit('schedules/hourly-copy');
    const { page } = opened;
    await page.getByRole('button', { name: 'Backfill…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Run 1\d slots$/ }).waitFor();
    for (const tick of (await dialog.getByRole('checkbox').all()).slice(2)) await tick.uncheck();
    await dialog.getByRole('button', { name: 'Run 2 slots' }).click();
    await page.getByText('Backfill of hourly-copy began').waitFor();
    const ran = async () =>
      (await carillon.schedules.slots('hourly-copy', { limit: 50 })).items.map(({ nominal }) =>
        new Date(nominal).toISOString(),
      );
    await expect
      .poll(async () => [...(await ran())].sort())
      .toEqual(['2026-11-01T00:00:00.000Z', '2026-11-01T01:00:00.000Z']);
    await carillon.schedules.delete('hourly-copy');
  });

  test('pitfalls are told while editing, with a remedy that one click takes', async () => {
    await using opened = await stage.visit('schedules/inventory-snapshot/edit');
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Is left out' }).click();
    await page.getByRole('button', { name: 'Move on instead' }).click();
    await page.getByRole('button', { name: 'Move on instead' }).waitFor({ state: 'detached' });
    await page.getByText('How busy the others are over that day').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a changed definition is tried on the past before it is saved', async () => {
    await using opened = await stage.visit('schedules/tenant-usage-rollup/edit');
    const { page } = opened;
    await page.getByText('Run beside it').click();
    await page.getByText(/^While a run is going, /).waitFor();
    await page.getByRole('button', { name: 'Try on the past week' }).click();
    const skipped = page.getByRole('row').filter({ hasText: 'Skipped' });
    await skipped.waitFor();
    const [before, after] = await skipped
      .getByRole('cell')
      .allTextContents()
      .then((cells) => cells.slice(1));
    expect(Number(before)).toBeGreaterThan(10);
    expect(after).toBe('0');
  });

  test('days are left out and bounds set in the form', async () => {
    await using opened = await stage.visit('schedules/sitemap-refresh/edit');
    const { page } = opened;
    await page.getByLabel('Except on').fill('2026-11-02');
    await page.getByLabel('Not after').fill('2026-11-30T12:00');
    await page.getByText('except on 2026-11-02').first().waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'sitemap-refresh', exact: true }).waitFor();
    const { spec } = await stage.world.carillon.schedules.describe('sitemap-refresh');
    expect(spec.exclude?.dates).toEqual(['2026-11-02']);
    expect(spec.endAt).toBe(Date.parse('2026-11-30T12:00:00Z'));
  });

  test('a schedule of the Conductor door shows its execution states', async () => {
    await using door = await DoorStage.open();
    const save = async (name: string, request: object) =>
      await door.raw('/api/scheduler/schedules', {
        body: { name, cronExpression: '* * * * * *', zoneId: 'UTC', startWorkflowRequest: request },
      });
    await save('known', { name: 'work', input: {} });
    await save('nobody', { name: 'nobody.knows', input: {} });
    await save('unregistered', { name: 'not_registered', version: 1, input: {} });
    for (const [name, state] of [
      ['known', 'EXECUTED'],
      ['nobody', 'POLLED'],
      ['unregistered', 'FAILED'],
    ] as const) {
      await using opened = await stage.visit(`${door.server.url}/ui/default/schedules/${name}`);
      const { page } = opened;
      const runs = page.getByRole('region', { name: 'Runs' });
      await runs.getByText(state).first().waitFor();
      await runs.getByRole('row').filter({ hasText: state }).last().getByRole('link').last().click();
      await page.getByText(`Conductor: ${state}`).waitFor();
    }
  });

  test('a declared schedule says what the next deploy puts back', async () => {
    const { carillon } = stage.world;
    // As a manifest brings it in.
    await carillon.schedules.create(
      'declared-hourly',
      { cron: '0 * * * *', run: 'quick', owner: 'billing', declaredBy: 'manifest:nightly' },
      { actor: 'deploy', note: declaredNote },
    );
    await carillon.schedules.patch('declared-hourly', { overlap: 'bufferOne' }, { actor: 'mara' });
    await using opened = await stage.visit('schedules/declared-hourly');
    const { page } = opened;
    await page.getByText('billing declares this schedule in the manifest nightly').waitFor();
    await page.getByText('The next deploy puts back 1 field that people changed.').waitFor();
    await page.getByText('mara changed it').waitFor();
    await carillon.schedules.delete('declared-hourly');
  });

  test('stopped runs can be listed alone', async () => {
    const { carillon } = stage.world;
    const { id } = await carillon.runs.enqueue({ run: 'stopped.early', at: '2030-01-01T00:00:00Z' });
    await carillon.runs.cancel(id);
    await using opened = await stage.visit('runs');
    const { page } = opened;
    await page.getByRole('button', { name: 'Stopped' }).click();
    await page.getByRole('row').filter({ hasText: 'stopped.early' }).waitFor();
  });

  test('runs are listed by start or by slot, in the address, page by page, with the filters of the server', async () => {
    const { carillon } = stage.world;
    await carillon.schedules.create('nightly-copy', {
      cron: '0 2 * * *',
      zone: 'UTC',
      run: 'copied.nowhere',
      overlap: 'allowAll',
    });
    await carillon.schedules.backfill('nightly-copy', {
      from: '2026-07-20T00:00:00Z',
      to: '2026-09-18T23:00:00Z',
      overlap: 'allowAll',
    });
    await expect.poll(async () => (await carillon.schedules.runs('nightly-copy')).items.length).toBe(61);
    await carillon.schedules.trigger('nightly-copy', { scheduledAt: '2026-07-01T00:00:00Z' });
    await expect.poll(async () => (await carillon.schedules.runs('nightly-copy')).items.length).toBe(62);
    const [stopped] = (await carillon.schedules.runs('nightly-copy')).items;
    await carillon.runs.terminate(stopped?.id as string);
    await using opened = await stage.visit('runs?schedule=nightly-copy');
    const { page, complaints } = opened;
    const rows = page.getByRole('row');
    const slots = async () => (await rows.allInnerTexts()).slice(1);
    await page.getByText('started, the latest start first.').waitFor();
    // The trigger came last, so it is first by start and last by slot.
    await rows.nth(1).filter({ hasText: 'Wed 1 Jul' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Started' }).getAttribute('aria-sort')).toBe(
      'descending',
    );

    await page.getByRole('button', { name: 'By slot' }).click();
    await page.getByText('the latest slot first').waitFor();
    await rows.nth(1).filter({ hasText: 'Fri 18 Sep' }).waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('slot');
    await page.reload();
    await rows.nth(1).filter({ hasText: 'Fri 18 Sep' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Slot' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    const first = await slots();
    expect(first).toHaveLength(50);
    await page.getByRole('button', { name: 'Older' }).click();
    await rows.nth(1).filter({ hasText: 'Thu 30 Jul' }).waitFor();
    const second = await slots();
    expect(second).toHaveLength(12);
    expect(second.at(-1)).toContain('Wed 1 Jul');
    await page.getByText('carillon runs --schedule nightly-copy --by slot').waitFor();

    // The only stopped run is on the second page: the server finds it, not the browser among the rows it has.
    await page.getByRole('button', { name: 'Stopped' }).click();
    await rows.nth(1).filter({ hasText: 'Wed 1 Jul' }).waitFor();
    expect(await slots()).toHaveLength(1);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await rows.nth(1).filter({ hasText: 'Fri 18 Sep' }).waitFor();

    // A new run is announced and not inserted; a run that ends changes where it is.
    const ending = rows.nth(2);
    const id = (await ending.getByRole('link').last().getAttribute('href'))?.split('/').at(-1) as string;
    await carillon.runs.terminate(id);
    await ending.getByText('Terminated').waitFor();
    await carillon.schedules.trigger('nightly-copy', { scheduledAt: '2026-10-01T00:00:00Z' });
    await page.getByRole('button', { name: '1 new run: show' }).waitFor();
    expect((await slots())[0]).toContain('Fri 18 Sep');
    await page.getByRole('button', { name: '1 new run: show' }).click();
    await rows.nth(1).filter({ hasText: 'Thu 1 Oct' }).waitFor();

    await page.getByRole('button', { name: /^schedule nightly-copy/ }).click();
    await page.getByText('Everything that was started, the latest slot first').waitFor();
    expect(complaints).toEqual([]);
    await carillon.schedules.delete('nightly-copy');
  });

  test('each attempt of a run is a bar of its own', async () => {
    await using opened = await stage.visit('runs?is=failed');
    const { page } = opened;
    await page.getByRole('row').filter({ hasText: 'invoice-sync' }).getByRole('link').last().click();
    const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
    await attempts.nth(2).waitFor();
    expect(await attempts.count()).toBe(3);
    await attempts
      .nth(1)
      .getByText('503 from erp.example: Service Unavailable (retry-after: 120), after 3 min')
      .waitFor();
  });

  test('starts of the busiest moment are spread in a preview', async () => {
    await using opened = await stage.visit('calendar');
    const { page } = opened;
    await page.getByRole('heading', { name: /^Spread/ }).waitFor();
    await page.getByText('brings the busiest minute').waitFor();
    const ahead = page.getByRole('region', { name: 'Clock changes ahead' });
    await ahead
      .getByText(/^Runs later: \d/)
      .first()
      .waitFor();
  });

  test('days of the month tell outages, exclusions and pauses, and lead to the day', async () => {
    await using opened = await stage.visit('calendar');
    const { page, complaints } = opened;
    const month = page.getByRole('region', { name: 'November 2026' });
    const first = month.getByRole('listitem').filter({ hasText: 'no node, 1 h 16 min' });
    await first.getByText('clock back').waitFor();
    // Pauses that are over and one that goes on; the day itself names them.
    await first.getByText(/^\+[2-9]/).waitFor();
    const second = month.getByRole('listitem').filter({ hasText: 'left out: invoice-sync' });
    await second.getByText('Storage moves on Monday').waitFor();
    await month.getByText('1 paused').first().waitFor();
    await first.getByRole('link', { name: /^Sun 1/ }).click();
    await expect.poll(() => page.url()).toContain('view=day&date=2026-11-01');
    const day = page.getByRole('region', { name: 'On this day' });
    await day.getByText('No node was alive for 1 h 16 min.').waitFor();
    await day.getByText('Paused by jonas, “ERP maintenance”: ').waitFor();
    await day.getByText('until a person resumes').waitFor();
    await day.getByRole('link', { name: 'ledger-rebuild' }).waitFor();
    await page.getByRole('region', { name: 'By the minute' }).getByText('have started').waitFor();
    await page.getByRole('button', { name: 'Day after' }).click();
    await page.getByRole('heading', { name: 'Mon 2 Nov 2026' }).waitFor();
    await day.getByText('the whole day').waitFor();
    await day.getByRole('link', { name: 'invoice-sync' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice-sync', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('the calendar shows a week, rings few peaks, and counts what was chosen', async () => {
    await using opened = await stage.visit('calendar?view=week&date=2026-11-04');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Mon 2 Nov to Sun 8 Nov 2026' }).waitFor();
    const heat = page.getByRole('grid', { name: 'Starts by hour and weekday' });
    await heat.waitFor();
    const ringed = await within<number>(page, "document.querySelectorAll('.heat .peak').length");
    expect(ringed).toBeGreaterThan(0);
    expect(ringed).toBeLessThanOrEqual(3);
    const peaks = page.getByRole('region', { name: 'Peaks' });
    await peaks
      .getByText(/^Every|^Most|^Weekdays/)
      .first()
      .waitFor();
    const all = await peaks.getByRole('listitem').first().innerText();
    await page.getByLabel('Which schedules').fill('tag:warehouse');
    await expect.poll(() => page.url()).toContain('q=tag:warehouse');
    // Only two schedules have that tag.
    await peaks
      .getByText('No two schedules start together')
      .or(peaks.getByText('2', { exact: true }))
      .first()
      .waitFor();
    await expect.poll(async () => await peaks.getByRole('listitem').first().innerText()).not.toBe(all);
    await page.getByText('--tag warehouse').waitFor();
    await page.getByLabel('Which schedules').fill('tag:nothing');
    await page.getByRole('heading', { name: 'No schedule matches' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await heat.waitFor();
    expect(await page.getByLabel('Which schedules').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.getByRole('region', { name: 'November 2026' }).waitFor();
    await page.getByRole('button', { name: 'Month after' }).click();
    await page.getByRole('region', { name: 'December 2026' }).waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('region', { name: 'November 2026' }).waitFor();
  });

  test('a namespace says how long it keeps its runs, and a key is made, shown once and revoked', async () => {
    const secret = 'crl_admin-key-of-the-test-0123456789abcdef';
    await using locked = await DoorStage.open({
      keys: [{ name: 'boss', hash: hashKey(secret), role: 'admin' }],
    });
    await using opened = await stage.visit(`${locked.server.url}/ui/default/settings`);
    const { page } = opened;
    await page.getByLabel('API key').fill(secret);
    await page.getByRole('button', { name: 'Open' }).click();
    const namespaces = page.getByRole('region', { name: 'Namespaces' });
    await namespaces.getByLabel('Name', { exact: true }).fill('brief');
    await namespaces.getByLabel('Keeps runs').fill('2d');
    await namespaces.getByRole('button', { name: 'Create' }).click();
    const row = namespaces.getByRole('row').filter({ hasText: 'brief' });
    await row.getByText('2d').waitFor();
    await row.getByText('this namespace').waitFor();
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByText('configuration file').waitFor();
    await keys.getByLabel('Name', { exact: true }).fill('robot');
    await keys.getByLabel('Namespaces').fill('default, brief');
    await keys.getByRole('button', { name: 'Create key' }).click();
    await keys.getByText('The secret of robot is shown once.').waitFor();
    await keys.getByRole('row').filter({ hasText: 'robot' }).getByText('default, brief').waitFor();
    await keys.getByRole('button', { name: 'Revoke…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked the key robot').waitFor();
    await page.getByRole('region', { name: 'Nodes' }).getByText('alive').waitFor();
  });

  test('an edit previews, tells its effect and is saved', async () => {
    await using opened = await stage.visit('schedules/digest-morning/edit');
    const { page } = opened;
    await page.getByText('Version 1, created by ana 2 days ago.').waitFor();
    await page.getByLabel('Cron').fill('30 7 * * 1-5');
    await page.getByText('At 07:30 on Monday to Friday, in New York').waitFor();
    await page.getByText(/^The next slot moves /).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'digest-morning', exact: true }).waitFor();
    const { spec } = await stage.world.carillon.schedules.describe('digest-morning');
    expect(spec.cron?.[0]?.text).toBe('30 7 * * 1-5');
  });

  test('what cannot be read is told at its field, and cannot be saved', async () => {
    await using opened = await stage.visit('schedules/digest-morning/edit');
    const { page } = opened;
    await page.getByLabel('Cron').fill('99 7 * * *');
    await page.getByRole('alert').first().getByText(/99/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  test('two people edit one schedule: both changes are saved', async () => {
    await using opened = await stage.visit('schedules/report-rollup/edit');
    const { page } = opened;
    await page.getByText('Wait, one').click();
    await stage.world.carillon.schedules.patch('report-rollup', { description: 'theirs' }, { actor: 'mara' });
    await page.getByText(/^While a run is going, /).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('mara saved this schedule while you were editing: description.').waitFor();
    await page.getByRole('button', { name: 'Save both' }).click();
    await page.getByRole('heading', { level: 1, name: 'report-rollup', exact: true }).waitFor();
    const { description, policy } = await stage.world.carillon.schedules.describe('report-rollup');
    expect([description, policy.overlap]).toEqual(['theirs', 'bufferOne']);
  });

  test('a schedule is created from the playground', async () => {
    await using opened = await stage.visit('playground?text=0+0+13+*+5&zone=UTC');
    const { page } = opened;
    await page.getByText('other times').waitFor();
    await page.getByRole('link', { name: 'Create from this' }).click();
    await page.getByLabel('Name', { exact: true }).fill('friday-the-13th');
    await page.getByLabel('Handler', { exact: true }).fill('quick');
    await page.getByText('The schedule is created.').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'friday-the-13th', exact: true }).waitFor();
  });

  test('the playground puts the mistake below its place, and shows times in two zones', async () => {
    await using opened = await stage.visit('playground?text=0+25+*+*+1-5&zone=America/New_York');
    const { page } = opened;
    const carets = page.locator('.mistake');
    expect(await carets.innerText()).toBe('  ^^');
    await page.getByRole('alert').getByText('Hour 25 is not in range [0-23].').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('0 9 * * 1-5');
    await carets.waitFor({ state: 'detached' });
    await page.getByText('there · for you').waitFor();
    // The viewer's own zone: another one stands beside it, and it can be chosen.
    await page.getByLabel('Zone', { exact: true }).fill('Europe/Berlin');
    await page.getByText('there · UTC').waitFor();
    await page.getByLabel('Beside it').fill('Asia/Tokyo');
    await page.getByText('there · Tokyo').waitFor();
    await page.getByText('FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0').waitFor();
    await page
      .getByLabel('Text', { exact: true })
      .fill('FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=18;BYMINUTE=0;BYSECOND=0');
    await page.getByText('0 18 * * 5L').first().waitFor();
    await page.getByRole('link', { name: 'Create from this' }).click();
    await page.getByText('Every month on the last Friday at 18:00').waitFor();
  });

  test('the palette answers a schedule and a time', async () => {
    await using opened = await stage.visit('');
    const { page } = opened;
    await page.getByText('Find or do…').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or do anything' }).waitFor();
    await page.keyboard.type('invoice-sync 03:30');
    await page.getByText('It was skipped because').first().waitFor();
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Skipped: the run before it had not ended' }).waitFor();
  });

  test('a failed run says why first, with what it was given', async () => {
    await using opened = await stage.visit('runs?is=failed');
    const { page } = opened;
    const row = page.getByRole('row').filter({ hasText: 'invoice-sync' });
    await row.getByRole('link').last().click();
    await page.getByText('503 from erp.example.').first().waitFor();
    await page.getByText('"tenant": "acme"').waitFor();
    const came = page.getByRole('region', { name: 'How it came about' });
    await came.getByText('tried again after 1 min, then 1 min').waitFor();
    await came.getByText('its slot is not run again by itself').waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Run again…' }).click();
    await page.getByRole('button', { name: 'Run it again' }).click();
    await came.getByRole('link', { name: 'The run before it' }).click();
    await came.getByRole('link', { name: 'A person ran it again' }).waitFor();
    expect(page.url()).toBe(first);
    await came.getByRole('link', { name: 'invoice-sync' }).click();
    await drawer(page).getByRole('heading', { name: 'Run failed' }).waitFor();
  });

  test('clock changes are filtered by schedule and by what happens, with counts', async () => {
    await using opened = await stage.visit('clock');
    const { page } = opened;
    const moves = page.getByRole('button', { name: /^Runs later \d/ });
    await moves.click();
    await expect.poll(() => page.url()).toContain('effect=shifted');
    await page.getByLabel('Which schedules').fill('tag:warehouse');
    await expect.poll(() => page.url()).toContain('q=tag:warehouse');
    await page.getByText('orders-cleanup').first().waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'inventory-snapshot' }).first();
    await row.getByText('gap: shift').waitFor();
    await row.getByRole('link', { name: '03:30' }).click();
    await expect.poll(() => page.url()).toContain('schedules/inventory-snapshot?at=2027-03-14T07:30:00Z');
  });

  test('clock changes lead to the slot', async () => {
    await using opened = await stage.visit('clock');
    const { page } = opened;
    await page.getByRole('link', { name: 'inventory-snapshot' }).first().click();
    await drawer(page).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2027-03-14T07:30:00Z');
  });

  test('a view is saved under a name', async () => {
    await using opened = await stage.visit('schedules?q=tag:warehouse');
    const { page } = opened;
    await page.getByRole('button', { name: '+ Save this view' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Warehouse');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Warehouse', exact: true }).waitFor();
    await page.getByRole('button', { name: /^All/ }).first().click();
    await page.getByText('refund-reconcile').first().waitFor();
    await page.getByRole('button', { name: 'Warehouse', exact: true }).click();
    await page.getByText('2 schedules').waitFor();
    // A name that is taken is not replaced in silence.
    await page.getByRole('combobox', { name: 'Find schedules' }).fill('tag:risk');
    await page.getByRole('button', { name: '+ Save this view' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Warehouse');
    await page.getByText('in place of what the view of that name shows now').waitFor();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Replaced the view Warehouse').waitFor();
    await page.getByRole('button', { name: 'Remove the view Warehouse' }).click();
    await page.getByText('Removed the view Warehouse').waitFor();
    await page.getByRole('button', { name: 'Warehouse', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '+ Save this view' }).waitFor();
  });

  test('a key is asked for, and a viewer sees no buttons that would be refused', async () => {
    const secret = 'crl_viewer-key-of-the-test-0123456789abcdef';
    await using locked = await DoorStage.open({
      keys: [{ name: 'looker', hash: hashKey(secret), role: 'viewer' }],
    });
    await locked.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
    await using opened = await stage.visit(`${locked.server.url}/ui/default/schedules/hourly`);
    const { page } = opened;
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The server does not know this key.').waitFor();
    await page.getByLabel('API key').fill(secret);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'hourly', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Trigger…' }).waitFor({ state: 'detached' });
  });

  test('without the server the page stays and says since when', async () => {
    const away = await DoorStage.open();
    await away.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
    await using opened = await stage.visit(`${away.server.url}/ui/default/schedules`);
    const { page } = opened;
    await page.getByText('hourly').first().waitFor();
    await page.getByText('Live').waitFor();
    await away.server.stop();
    await page.getByText('Not live since').waitFor();
    expect(await page.getByText('hourly').first().isVisible()).toBe(true);
  });
});

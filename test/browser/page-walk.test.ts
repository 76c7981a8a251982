/** The page for a person who does not know it yet: typing mistakes, other roles, interruptions, other displays. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { carillon as command } from '../cli/command-stage.ts';
import { DoorStage } from '../door/door-stage.ts';
import { withoutChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { PageStage, screens, violations, within } from './page-stage.ts';

describe.skipIf(withoutChromium)('a walk through the page', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  const palette = (page: Page) => page.getByRole('combobox', { name: 'Find or do anything' });
  const search = (page: Page) => new URL(page.url()).searchParams;

  test('a query is completed with the values that schedules have', async () => {
    await using opened = await stage.visit('schedules');
    const { page } = opened;
    await page.getByText('refund-reconcile').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('own');
    const offered = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
    await offered.filter({ hasText: 'owner:' }).waitFor();
    await page.keyboard.press('Tab');
    await offered.filter({ hasText: 'owner:platform' }).waitFor();
    expect(await page.getByText('means nothing').count()).toBe(0);
    await page.screenshot({ path: `${screens}completion-light.png` });
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('plat');
    await expect.poll(async () => await offered.allTextContents()).toEqual(['owner:platform ']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('2 schedules').waitFor();
    expect(search(page).get('q')).toBe('owner:platform');
    await page.keyboard.type('state:sleepy ');
    await page.getByText('state:sleepy means nothing').waitFor();
  });

  test('what is selected is in the address, and a reload shows it again', async () => {
    await using opened = await stage.visit('schedules?q=tag:risk');
    const { page } = opened;
    await page.getByText('2 schedules').waitFor();
    await page.getByRole('checkbox', { name: 'Select audit-refresh' }).click();
    await expect.poll(() => search(page).get('sel')).toBe('audit-refresh');
    await page.reload();
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select audit-refresh' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await expect.poll(() => search(page).get('sel')).toBe(null);
  });

  test('with everything selected, the menu of one row still means that row', async () => {
    await using opened = await stage.visit('schedules?sel=*');
    const { page } = opened;
    await page.getByText(/^\d+ selected$/).waitFor();
    await page.getByRole('button', { name: 'Actions for audit-refresh' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete audit-refresh' });
    await dialog.getByText('The schedule is closed.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('many are paused until a time, and the dialog of all that match hears Escape at once', async () => {
    const { carillon } = stage.world;
    await using opened = await stage.visit('schedules?q=tag:warehouse&sel=*');
    const { page } = opened;
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('p');
    await page.getByRole('dialog').getByText('2 pause.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    // The browser is in Berlin.
    await page.getByLabel('Until').fill('2026-11-03T09:00');
    await page.getByRole('dialog').getByText('passed over within 1 day 14 h').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog', { name: 'Paused 2 schedules' }).waitFor();
    for (const id of ['stock-rebuild', 'inventory-snapshot']) {
      const { paused } = await carillon.schedules.describe(id);
      expect(paused?.until).toBe(Date.parse('2026-11-03T08:00:00Z'));
    }
    await page.keyboard.press('Escape');
    // All of them are paused now, so the same key resumes.
    await page.goto(`${stage.world.url}/ui/default/schedules?q=tag:warehouse&sel=*`);
    await page.getByText('2 selected').waitFor();
    // The rows say that they are paused; the number of the selected comes apart from them.
    await page.getByRole('row').filter({ hasText: 'stock-rebuild' }).getByText('not while paused').waitFor();
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'Resume 2 schedules' }).getByText('2 resume.').waitFor();
    await carillon.schedules.bulk('resume', ['stock-rebuild', 'inventory-snapshot']);
  });

  test('y copies the address of what is shown', async () => {
    await using opened = await stage.visit('schedules?q=tag:risk', 'light', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = opened;
    await page.getByText('2 schedules').waitFor();
    await page.keyboard.press('y');
    await page.getByText('Copied the link').waitFor();
    expect(await within(page, 'navigator.clipboard.readText()')).toBe(page.url());
  });

  test('the palette knows many ways to say a time, and what was probably meant', async () => {
    await using opened = await stage.visit('');
    const { page } = opened;
    // The frame is there before any script; the count beside a place comes from the page itself.
    await page.getByRole('heading', { name: /schedules? do what/ }).waitFor();
    await page.keyboard.press('Control+k');
    const rows = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    for (const text of ['invoice-sync sun 03:30', 'invoice-sync 2026-11-01T08:30:00Z']) {
      await palette(page).fill(text);
      await rows.first().getByText('It was skipped').waitFor();
    }
    // The row bears the mark of the verdict.
    expect(await rows.first().locator('svg').first().getAttribute('class')).toContain('f-policy');
    await palette(page).fill('ledger-rebuild');
    await rows.filter({ hasText: 'Resume ledger-rebuild…' }).waitFor();
    // An hour that came twice is asked about twice, each by the letters of its clock.
    await palette(page).fill('invoice-sync 01:30');
    await rows.nth(0).getByText('Why invoice-sync, Sun 1 Nov 01:30 EDT?').waitFor();
    await rows.nth(1).getByText('Why invoice-sync, Sun 1 Nov 01:30 EST?').waitFor();
    // A verb comes first, for those that it fits.
    await palette(page).fill('resume ledger');
    await expect.poll(() => rows.first().textContent()).toContain('Resume ledger-rebuild…');
    await palette(page).fill('pause ledger');
    await expect.poll(() => rows.first().textContent()).toContain('At 02:00');
    await palette(page).fill('backfill invoice-sync');
    await rows.first().getByText('Backfill invoice-sync…').waitFor();
    // Schedules that only mention a word stand behind the place that is called so.
    await palette(page).fill('runs');
    await expect.poll(() => rows.first().textContent()).toContain('Runs');
    await palette(page).fill('why invoice-sync sun 03:30');
    await rows.first().getByText('It was skipped').waitFor();
    await palette(page).fill('invoce-synk');
    await page.getByRole('button', { name: 'invoice-sync', exact: true }).click();
    await rows.filter({ hasText: 'Trigger invoice-sync…' }).waitFor();
    await palette(page).fill('show times by utc');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Times: UTC' }).waitFor();
  });

  test('addresses that lead nowhere say what was probably meant', async () => {
    await using opened = await stage.visit('schedulez');
    const { page } = opened;
    await page.getByText('No place is called “schedulez”').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('refund-reconcile').first().waitFor();
    await page.goto(`${stage.world.url}/ui/default/schedules/invoce-sync`);
    await page.getByRole('link', { name: 'invoice-sync', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice-sync', exact: true }).waitFor();
    await page.goto(`${stage.world.url}/ui/default/runs/run-1`);
    await page.getByRole('main').getByRole('link', { name: 'To all runs' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(0);
    await page.goto(`${stage.world.url}/ui/default/schedules/invoice-sync/nowhere`);
    await page.getByText('Schedules has no page “invoice-sync/nowhere”.').waitFor();
    await page.getByRole('link', { name: 'To invoice-sync' }).waitFor();
    await page.goto(`${stage.world.url}/ui/nowhere/`);
    await page.getByText('Nothing is in the namespace nowhere').waitFor();
    await page.getByText('--namespace nowhere').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'default' }).click();
    await page.getByRole('region', { name: 'Needs you' }).waitFor();
  });

  test('a phone reaches every place, the choice of times, the namespaces and the selection', async () => {
    await using opened = await stage.visit('schedules?q=tag:warehouse', 'phone');
    const { page } = opened;
    await page.getByText('2 schedules').waitFor();
    const more = page.getByRole('button', { name: 'More' });
    await more.click();
    const sheet = page.getByRole('dialog', { name: 'More' });
    await sheet.getByRole('combobox', { name: 'Namespace' }).waitFor();
    await sheet.getByRole('button', { name: 'UTC' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'stock-rebuild' }).getByText('UTC').waitFor();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select stock-rebuild' }).click();
    await page.getByText('1 selected').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await more.click();
    await sheet.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await sheet.waitFor({ state: 'detached' });
  });

  test('a phone shows every dialect of a text whole', async () => {
    await using opened = await stage.visit('playground?text=0+9+*+*+1-5&zone=Europe/Berlin', 'phone');
    const { page } = opened;
    const table = page.getByRole('group', { name: 'The same text in each dialect' });
    await table
      .getByRole('button', { name: /^Copy / })
      .first()
      .waitFor();
    const right = await table
      .getByRole('cell')
      .evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
    expect(right).toBeGreaterThan(0);
    expect(right).toBeLessThanOrEqual(390);
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  test('a run opens by the name that the list shows; one that is not there says how to go on', async () => {
    await using opened = await stage.visit('runs?schedule=invoice-sync');
    const { page } = opened;
    // Its own zone, which the row names.
    await page.getByRole('row').nth(1).getByText('EST').first().waitFor();
    const name = await page.getByRole('row').nth(1).getByRole('link').last().innerText();
    await page.goto(`${stage.world.url}/ui/default/runs/${name}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.waitForURL(new RegExp(`/runs/${name}[0-9a-z]{9,}$`));
    await page.goto(`${stage.world.url}/ui/default/runs/0ykhumd1`);
    await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
    await page.getByRole('textbox', { name: 'Id of a run' }).fill(name);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('region', { name: 'How it came about' }).waitFor();
  });

  test('an audit entry leads to its version on the timeline', async () => {
    await using opened = await stage.visit('audit?schedule=invoice-sync&action=update');
    const { page } = opened;
    await page.getByText('carillon audit --schedule invoice-sync --action update').waitFor();
    await page.getByRole('link', { name: 'show on the timeline' }).first().click();
    await page.getByRole('region', { name: 'Slots' }).getByText('v2', { exact: true }).waitFor();
  });

  test('a part that cannot be read says so in its place, and the others go on', async () => {
    await using opened = await stage.visit('runs');
    const { page } = opened;
    await page.route('**/load?**', async (route) => await route.fulfill({ status: 503, body: '{}' }));
    await page.route('**/series?**', async (route) => await route.fulfill({ status: 503, body: '{}' }));
    await page
      .getByRole('link', { name: /^Overview/ })
      .first()
      .click();
    for (const what of ['The next hour', 'The lateness', 'The slots'])
      await page.getByText(`${what} could not be read`).waitFor();
    await page.getByText("waits for a worker that knows 'price.refresh'").waitFor();
    await page.unroute('**/load?**');
    await page
      .getByRole('region', { name: 'The next hour' })
      .getByRole('button', { name: 'Try now' })
      .click();
    await page.getByRole('img', { name: 'Starts of the next hour by the minute' }).waitFor();
    await page.route('**/nodes', async (route) => await route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByRole('region', { name: 'Nodes' }).getByText('The nodes could not be read').waitFor();
  });

  test('a viewer is offered nothing that would be refused', async () => {
    const secret = 'crl_viewer-key-of-the-walk-0123456789abcdef';
    await using locked = await DoorStage.open({
      keys: [{ name: 'looker', hash: hashKey(secret), role: 'viewer' }],
    });
    await locked.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
    await using opened = await stage.visit(`${locked.server.url}/ui/default/schedules`);
    const { page } = opened;
    // The field has the focus already.
    await page.locator('#key:focus').waitFor();
    await page.keyboard.insertText(secret);
    await page.keyboard.press('Enter');
    await page.getByText('Your key may only look.').waitFor();
    // Also while the server has not said yet what the key may do.
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/about', async (route) => {
      await asked;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'hourly' }).waitFor();
    expect(await page.getByRole('link', { name: 'New schedule' }).count()).toBe(0);
    expect(await page.getByText('Your key may only look.').count()).toBe(0);
    answer();
    await page.getByText('Your key may only look.').waitFor();
    expect(await page.getByRole('link', { name: 'New schedule' }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    for (const key of ['j', 'x', 't', 'p', 'c', 'e']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/ui/default/schedules');
    // The keys that are told are those that do something.
    expect(await page.getByText('trigger').count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('next and previous row').waitFor();
    expect(await page.getByRole('dialog').getByText('pause or resume').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await palette(page).fill('hourly');
    await page.getByRole('option').filter({ hasText: 'Every hour' }).waitFor();
    expect(await page.getByRole('option').filter({ hasText: 'Trigger' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.goto(`${locked.server.url}/ui/default/settings`);
    await page.getByText('You use the key looker and may look.').waitFor();
  });

  test('a short break is not told; a long one waits with what was typed', async () => {
    const away = await DoorStage.open();
    await away.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
    await using opened = await stage.visit(`${away.server.url}/ui/default/schedules`);
    const { page } = opened;
    await page.getByText('Live').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('half a sentence');
    // The page's time stands still from here, until the test moves it.
    await page.clock.install();
    // A machine too slow for this second takes a later one: the page's time cannot be set back.
    await until(() =>
      page.clock.pauseAt(Date.now() + 1000).then(
        () => true,
        () => false,
      ),
    );
    const broken = new Promise<void>((resolve) => {
      const end = (request: Request) => request.url().endsWith('/events') && resolve();
      page.on('requestfailed', end);
      page.on('requestfinished', end);
    });
    await away.server.stop();
    await broken;
    const notice = page.getByText('Not live since');
    await page.clock.runFor(4500);
    expect(await notice.count()).toBe(0);
    await until(async () => {
      await page.clock.runFor(500);
      return (await notice.count()) > 0;
    });
    await page.clock.resume();
    expect(await dialog.getByRole('button', { name: 'Pause', exact: true }).isDisabled()).toBe(true);
    await dialog.getByText('The server does not answer; this waits.').waitFor();
    expect(await dialog.getByLabel('Note').inputValue()).toBe('half a sentence');
  });

  test('every command that a screen shows is one that the command line understands', async () => {
    const places = [
      '',
      'schedules?q=tag:billing+handler:quick+prefix:in+is:failing+owner:billing',
      'schedules/invoice-sync?at=2026-11-01T08:30:00Z',
      'runs',
      'calendar',
      'hosts',
      'clock',
      'audit?actor=mara&door=embed&from=2026-10-01&to=2026-11-01',
      'playground?text=0+0+13+*+5&zone=UTC',
      'settings',
    ];
    await using opened = await stage.visit('runs?is=failed');
    const { page } = opened;
    const shown = new Set<string>();
    const collect = async () => {
      await page
        .locator('.cli code')
        .first()
        .waitFor()
        .catch((error) => {
          throw new Error(`no command at ${page.url()}`, { cause: error });
        });
      for (const text of await page.locator('.cli code').allTextContents()) shown.add(text);
    };
    await page.getByRole('row').filter({ hasText: 'invoice-sync' }).getByRole('link').last().click();
    await page.getByRole('region', { name: 'Attempts' }).waitFor();
    await collect();
    await page.getByRole('button', { name: 'Run again…' }).click();
    await page.getByRole('dialog').waitFor();
    await collect();
    for (const place of places) {
      await page.goto(`${stage.world.url}/ui/default/${place}`);
      await collect();
    }
    await page.goto(`${stage.world.url}/ui/default/schedules/audit-refresh`);
    for (const button of ['Trigger…', 'Pause…']) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').locator('.cli code').waitFor();
      await collect();
      await page.keyboard.press('Escape');
    }
    expect(shown.size).toBeGreaterThan(12);
    const changing = /^carillon (run (again|cancel|terminate)|schedule (trigger|pause|resume|delete))\b/;
    const misunderstood: string[] = [];
    for (const text of shown) {
      const [, ...words] = wordsOf(changing.test(text) ? `${text} --dry-run` : text);
      const { code, stderr } = await command(words, { url: stage.world.url });
      if (code === 2) misunderstood.push(`${text}: ${stderr}`);
    }
    expect(misunderstood).toEqual([]);
  });

  test('enlarged four times and on paper, the content has the room', async () => {
    await using opened = await stage.visit('schedules', 'light', { viewport: { width: 360, height: 225 } });
    const { page } = opened;
    await page.getByText('refund-reconcile').first().waitFor();
    expect(await within(page, 'getComputedStyle(document.querySelector(".tabbar")).position')).toBe('static');
    await page.goto(`${stage.world.url}/ui/default/`);
    await page.getByRole('region', { name: 'Needs you' }).waitFor();
    await page.setViewportSize({ width: 1000, height: 1400 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Main', exact: true }).isVisible()).toBe(false);
    expect(await within<number>(page, 'document.querySelector("main").clientWidth')).toBeGreaterThan(900);
  });
});

/** Splits as a shell does: words between blanks, and between single quotes. */
function wordsOf(text: string): readonly string[] {
  const found = text.matchAll(/((?:'[^']*'|\\'|[^\s'])+)/g);
  return [...found].map(([word]) => word.replace(/'([^']*)'/g, '$1').replaceAll("\\'", "'"));
}

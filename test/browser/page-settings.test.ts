/** The settings when something is missing: a node that fell silent, a part that cannot be read, a server that is away. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { buildOnce, violations, visit, within } from './page-stage.ts';

describe.skipIf(withoutChromium)('settings', () => {
  let browser: Browser;
  let stage: DoorStage;
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    stage = await DoorStage.open();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.[Symbol.asyncDispose]();
  });
  const open = async () => await visit(browser, `${stage.server.url}/ui/default/settings`);

  test('a node that fell silent says how long ago, and the rail counts those that are alive', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.route('**/nodes', async (route) => {
      const answer = await route.fetch();
      const { items, ...rest } = await answer.json();
      const seenAt = new Date(Date.now() - 28_000).toISOString();
      const silent = { ...items[0], id: 'gone', name: 'gone', state: 'silent', seenAt };
      await route.fulfill({ json: { ...rest, items: [...items, silent] } });
    });
    await page.reload();
    const row = page.getByRole('region', { name: 'Nodes' }).getByRole('row').filter({ hasText: 'gone' });
    // At least as long ago as the server says; longer when the machine is slow to show it.
    await row.getByText(/^((2[89]|[3-9]\d) s|\d+ min) ago$/).waitFor();
    await page.getByText('Live · 1 node').waitFor();
  });

  test('nodes of different versions and zone tables are told', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.route('**/nodes', async (route) => {
      const answer = await route.fetch();
      const { items, ...rest } = await answer.json();
      const other = { ...items[0], id: 'other', name: 'other', version: '0.0.9', timeZoneVersion: '2025b' };
      await route.fulfill({ json: { ...rest, items: [...items, other] } });
    });
    await page.reload();
    const nodes = page.getByRole('region', { name: 'Nodes' });
    await nodes
      .getByText(/^Several versions are at work: 0\.0\.9, .* zone tables are at work: 2025b, /)
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('a part that cannot be read says so where it would be, with the id of the request', async () => {
    await using opened = await open();
    const { page } = opened;
    const error = {
      code: 'unavailable',
      reason: 'STORE_UNAVAILABLE',
      message: 'the store is away',
      requestId: 'r-7',
    };
    await page.route(/\/(nodes|namespaces)$/, (route) => route.fulfill({ status: 503, json: { error } }));
    await page.reload();
    for (const what of ['The namespaces', 'The nodes']) {
      const told = page.getByRole('alert').filter({ hasText: `${what} could not be read` });
      await told.getByText('The store is away.').waitFor();
      await told.getByText('request r-7').waitFor();
    }
    await page.getByText('What is kept').waitFor();
    await page.unroute(/\/(nodes|namespaces)$/);
    await page.getByRole('button', { name: 'Try now' }).first().click();
    await page.getByRole('cell', { name: 'default' }).first().waitFor();
  });

  test('a key is made and revoked by the keyboard alone, and both are in the history of keys', async () => {
    await using opened = await open();
    const { page, complaints } = opened;
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByLabel('Name', { exact: true }).fill('reader');
    await page.keyboard.press('Enter');
    await keys.getByRole('status').getByText('The secret of reader is shown once.').waitFor();
    const focused = 'document.activeElement.closest("section")?.getAttribute("aria-labelledby")';
    expect(await within(page, focused)).toBe('keys');
    await keys.getByRole('button', { name: 'Who made and revoked them' }).click();
    const history = keys.getByRole('list', { name: 'History of the API keys' }).getByRole('listitem');
    await history.getByText('viewer of all namespaces').waitFor();
    await keys.getByText('carillon audit --namespace @keys').waitFor();
    expect(await violations(page)).toEqual([]);
    await keys.getByRole('button', { name: 'Revoke…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
    await history.filter({ hasText: 'revoked the API key reader' }).waitFor();
    await keys.getByRole('button', { name: 'Revoke…' }).waitFor({ state: 'detached' });
    await expect.poll(async () => await within(page, focused)).toBe('keys');
    expect(complaints).toEqual([]);
  });

  test('a change of a namespace says what it will do before it is saved', async () => {
    await using opened = await open();
    const { page, complaints } = opened;
    const namespaces = page.getByRole('region', { name: 'Namespaces' });
    await namespaces.getByLabel('Name', { exact: true }).fill('billing');
    await namespaces.getByLabel('Description').fill('Invoices and refunds');
    await namespaces.getByRole('button', { name: 'Create' }).click();
    const row = namespaces.getByRole('row').filter({ hasText: 'billing' });
    await row.getByText('Invoices and refunds').waitFor();
    await row.getByRole('button', { name: 'Change…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change billing' });
    const save = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByText('Nothing is changed yet.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    const kept = dialog.getByLabel('Keeps runs');
    expect(await kept.inputValue()).toBe('30d');
    await kept.fill('a week');
    await dialog.getByText(/not a duration/).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await kept.fill('7d');
    await dialog
      .getByText('Finished runs are kept for 7 days instead of 30 days: older ones are removed.')
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await save.click();
    await page.getByText('billing keeps its runs 7d').waitFor();
    await row.getByText('this namespace').waitFor();
    await row.getByRole('button', { name: 'Change…' }).press('Enter');
    await dialog.getByLabel('As the server').check();
    await dialog
      .getByText('Finished runs are kept for 30 days instead of 7 days, as the server says.')
      .waitFor();
    await dialog.getByText('carillon namespace set billing --retention server').waitFor();
    expect(await violations(page)).toEqual([]);
    await save.click();
    await page.getByText('billing keeps its runs 30d').waitFor();
    await row.getByText('the server').waitFor();
    await page.getByText('carillon namespace list').waitFor();
    await page.goto(`${stage.server.url}/ui/billing/audit`);
    await expect.poll(() => page.getByText('Keeps runs').count()).toBe(2);
    // The wrong length was refused by the server, which the browser notes.
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([]);
  });

  test('a key for a namespace that does not exist is refused where it was asked for', async () => {
    await using opened = await open();
    const { page, complaints } = opened;
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByLabel('Name', { exact: true }).fill('lost');
    await keys.getByLabel('Namespaces').fill('default, defalt');
    await page.keyboard.press('Enter');
    await keys
      .getByRole('alert')
      .getByText("there is no namespace 'defalt' (did you mean 'default'?)")
      .waitFor();
    expect(await keys.getByRole('cell', { name: 'lost' }).count()).toBe(0);
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([]);
  });

  // The last one: the server does not come back.
  test('without the server nothing can be made', async () => {
    await using opened = await open();
    const { page } = opened;
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await create.waitFor();
    await page.getByText('Live · 1 node').waitFor();
    await stage.server.stop();
    await page.getByText('Not live since').waitFor();
    expect(await create.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
  });
});

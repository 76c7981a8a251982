/** A server with keys: who can sign in, to which namespace, and what happens when a key is revoked. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { buildOnce, violations, visit } from './page-stage.ts';

const boss = 'crl_boss-key-of-the-test-0123456789abcdef';
const clerk = 'crl_clerk-key-of-the-test-0123456789abcdef';
const stoker = 'crl_stoker-key-of-the-test-0123456789abcdef';

describe.skipIf(withoutChromium)('a server with keys', () => {
  let browser: Browser;
  let stage: DoorStage;
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    stage = await DoorStage.open({
      keys: [
        { name: 'boss', hash: hashKey(boss), role: 'admin' },
        { name: 'clerk', hash: hashKey(clerk), role: 'operator', namespaces: ['billing', 'shop'] },
        { name: 'stoker', hash: hashKey(stoker), role: 'worker' },
      ],
    });
    await stage.carillon.schedules.create('hourly', { every: '1h', run: 'work' }, { actor: 'test' });
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.[Symbol.asyncDispose]();
  });
  const open = async (path: string) => await visit(browser, `${stage.server.url}/ui/${path}`);
  const signIn = async (page: Page, key: string) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
  };

  test('a key of other namespaces opens the first of them, and says so where it is not let in', async () => {
    await using opened = await open('');
    const { page } = opened;
    await signIn(page, clerk);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/billing/');
    // The next visit begins there as well.
    await page.goto(`${stage.server.url}/ui/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/billing/');

    await page.clock.install();
    await page.goto(`${stage.server.url}/ui/default/schedules`);
    await page.getByRole('heading', { name: 'Your key opens another namespace' }).waitFor();
    await page.getByText("The key 'clerk' is not for the namespace 'default'.").waitFor();
    await page.getByText('Not open to your key', { exact: true }).waitFor();
    expect(await page.getByText('Connecting', { exact: true }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    // It is refused, which is not the same as a server that does not answer.
    await page.clock.fastForward(20_000);
    expect(await page.getByText('The server has not answered').count()).toBe(0);
    await page.clock.resume();
    await page.getByRole('link', { name: 'Open shop' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText(/^Live/).waitFor();
  });

  test('an address that names a namespace of the key stays as it is', async () => {
    await using opened = await open('shop/schedules');
    const { page } = opened;
    await signIn(page, clerk);
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/shop/schedules');
  });

  test('a key that is revoked while the page is open asks for another one, and nothing is asked meanwhile', async () => {
    const { CarillonClient } = await import('../../packages/carillon/src/client/index.ts');
    const { settings } = new CarillonClient({ url: stage.server.url, key: boss });
    const { secret } = await settings.createKey({ name: 'guest', role: 'viewer' });
    await using opened = await open('default/schedules');
    const { page } = opened;
    await page.clock.install();
    await signIn(page, secret);
    await page.getByText('hourly').first().waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await settings.revokeKey('guest');
    // It learns of it by itself.
    await page.getByText('It does not take the key of this browser any more.').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(request.url());
    });
    await page.clock.fastForward(60_000);
    expect(asked).toEqual([]);
    await signIn(page, boss);
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.getByText('Live').waitFor();
  });

  test('a worker may look, and the settings say what its key may do', async () => {
    await using opened = await open('default/settings');
    const { page } = opened;
    await signIn(page, stoker);
    await page.getByText('You use the key stoker and may look and take up runs.').waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0);
    await page.goto(`${stage.server.url}/ui/default/schedules`);
    await page.getByText('hourly').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${stage.server.url}/ui/default/settings`);
    await page.getByRole('button', { name: 'Forget the key of this browser' }).click();
    await page.getByLabel('API key').waitFor();
  });
});

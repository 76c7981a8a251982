/** Workflow hosts on the page: everything a person may do is clicked, against a real server with a real host. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import type { Look } from './page-stage.ts';
import { buildOnce, screens, violations, visit } from './page-stage.ts';

interface Told {
  made: number;
  asked: number;
  readonly passedOn: unknown[];
}

/** A producer of two orders; booking one never gives an answer, and neither does the carrier when it is asked. */
function ordersOf(told: Told) {
  return defineWorkflow({ name: 'orders', topics: { placed: topic<number>() } })
    .producer('look', {
      schedule: { interval: '1h' },
      publishes: ['placed'],
      handler: async (ctx, last: { readonly number: number } | undefined) => {
        const number = last?.number ?? 0;
        for (const each of [number + 1, number + 2])
          await ctx.publish('placed', { id: `order-${each}`, payload: each });
        return { number: number + 2 };
      },
    })
    .consumer('book', {
      subscribe: ['placed'],
      prepare: async (ctx) => {
        const found = await ctx.peek('placed', { limit: 1 });
        return { reservations: [{ topic: 'placed' as const, ids: found.map(({ id }) => id) }], data: {} };
      },
      mutate: async (ctx) =>
        await ctx.change('book', {
          run: () => {
            told.made += 1;
            throw new Error('the carrier did not answer');
          },
          reconcile: () => {
            told.asked += 1;
            throw new Error('the carrier does not know');
          },
        }),
      next: async (_ctx, _prepared, change) => {
        told.passedOn.push(change);
      },
    });
}

describe.skipIf(withoutChromium)('workflow hosts', () => {
  let browser: Browser;
  let stage: DoorStage;
  const told: Told = { made: 0, asked: 0, passedOn: [] };
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    stage = await DoorStage.open({}, {}, (carillon) => {
      createHost({
        carillon,
        workflows: [ordersOf(told)],
        settings: { reconciles: 1, retries: 0, retryPause: '10ms' },
      });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.[Symbol.asyncDispose]();
  });
  const open = async (look: Look = 'light') =>
    await visit(browser, `${stage.server.url}/ui/default/hosts`, look);
  const card = (page: Page) => page.getByRole('region', { name: 'orders' });
  /** A run may be under way: only a workflow that stands still asks. */
  const blocked = async (page: Page) => {
    await expect
      .poll(async () => (await stage.carillon.hosts.describe('orders')).block?.kind)
      .toBe('uncertain');
    await card(page).getByText('Unknown', { exact: true }).waitFor();
  };
  const answer = async (page: Page, question: string, confirm: string) => {
    await card(page).getByRole('button', { name: question }).click();
    await page.getByRole('dialog').getByText('What will happen').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
  };

  test('a producer is triggered, and each answer to an uncertain change does what it says', async () => {
    await using opened = await open();
    const { page, complaints } = opened;
    await card(page).getByText('Every 1 h').waitFor();
    await card(page).getByRole('button', { name: 'Trigger look' }).click();
    await page.getByText('Triggered look').waitFor();
    await card(page).getByText('Stopped: outcome unknown').waitFor();
    await card(page).getByText('1 taken by a run').waitFor();
    // A producer needs an idle workflow.
    expect(await card(page).getByRole('button', { name: 'Trigger look' }).isDisabled()).toBe(true);
    expect(told.made).toBe(1);
    const asked = told.asked;

    await answer(page, 'Ask again…', 'Ask again');
    await expect.poll(() => told.asked).toBe(asked + 1);
    expect(told.made).toBe(1);

    await blocked(page);
    await answer(page, 'It did not happen…', 'It did not happen');
    await expect.poll(() => told.made).toBe(2);

    await blocked(page);
    await card(page).getByRole('button', { name: 'It happened…' }).click();
    await page.getByLabel('What the change returned').fill('{"booking":7');
    await page.getByText('This is not JSON.').waitFor();
    await page.getByLabel('What the change returned').fill('{"booking":7}');
    await page.getByLabel('Note').fill('asked by phone');
    await page.getByRole('dialog').getByRole('button', { name: 'It happened', exact: true }).click();
    await expect.poll(() => told.passedOn.length).toBe(1);
    expect(told.passedOn[0]).toMatchObject({ result: { booking: 7 } });

    // The second order goes the same way.
    await expect.poll(() => told.made).toBe(3);
    await blocked(page);
    await answer(page, 'Skip it…', 'Skip it');
    await expect.poll(() => told.passedOn.length).toBe(2);
    expect(told.passedOn[1]).toMatchObject({ status: 'skipped' });
    await card(page).getByText('Nothing of this workflow runs').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('a paused workflow keeps its events; one is skipped, and it goes on when resumed', async () => {
    await using opened = await open();
    const { page } = opened;
    await card(page).getByRole('button', { name: 'Pause…' }).click();
    await page.getByLabel('Note').fill('the carrier is on strike');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await card(page).getByText('the carrier is on strike').waitFor();
    await card(page).getByRole('button', { name: 'Trigger look' }).click();
    await card(page).getByRole('button', { name: 'Events' }).click();
    await card(page).getByRole('button', { name: 'Skip order-3' }).click();
    await page.getByText('Skipped order-3').waitFor();
    const { items } = await stage.carillon.hosts.events('orders', 'placed', { state: ['pending'] });
    expect(items.map(({ id }) => id)).toEqual(['order-4']);
    const made = told.made;
    await card(page).getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => told.made).toBe(made + 1);
  });

  test.each(['light', 'dark', 'phone'] as const)('the question is clean for axe in %s', async (look) => {
    await using opened = await open(look);
    const { page } = opened;
    await card(page).getByText('Unknown', { exact: true }).waitFor();
    await page.screenshot({ path: `${screens}host-question-${look}.png` });
    expect(await violations(page)).toEqual([]);
    await card(page).getByRole('button', { name: 'It happened…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('the overview counts it as one that needs a person, and so does the rail', async () => {
    await using opened = await visit(browser, `${stage.server.url}/ui/default/hosts`);
    const { page } = opened;
    const rail = page.getByRole('navigation', { name: 'Main', exact: true });
    await rail.getByRole('link', { name: 'Overview 1' }).waitFor();
    await rail.getByRole('link', { name: 'Workflow hosts 1' }).waitFor();
  });

  // The last one: the server does not come back.
  test('without the server nothing can be pressed', async () => {
    await using opened = await open();
    const { page } = opened;
    const trigger = card(page).getByRole('button', { name: 'It happened…' });
    await trigger.waitFor();
    await page.getByText('Live').waitFor();
    expect(await trigger.isEnabled()).toBe(true);
    await stage.server.stop();
    await page.getByText('Not live since').waitFor();
    expect(await trigger.isDisabled()).toBe(true);
    expect(await card(page).getByRole('button', { name: 'Pause…' }).isDisabled()).toBe(true);
  });
});

/** Workflow hosts on the page: everything a person may do is clicked, against a real server with a real host. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import type { Look } from './page-stage.ts';
import { buildOnce, screens, violations, visit, within } from './page-stage.ts';

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

/** A consumer that takes nothing yet, and so sleeps. By its name it would come first. */
function archive() {
  return defineWorkflow({ name: 'archive', topics: { papers: topic<number>() } })
    .producer('collect', {
      schedule: { interval: '24h' },
      publishes: ['papers'],
      handler: async (ctx) => {
        await ctx.publish('papers', { id: 'paper-1', payload: 1 });
      },
    })
    .consumer('file', {
      subscribe: ['papers'],
      prepare: async () => ({ reservations: [], data: {} }),
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
        workflows: [ordersOf(told), archive()],
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
  /** Presses the button of a card, finds what the server says will happen, and agrees. */
  const agree = async (
    page: Page,
    button: Locator,
    confirm: string,
    effects: readonly (string | RegExp)[],
  ) => {
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What will happen').waitFor();
    for (const effect of effects) await dialog.getByText(effect).waitFor();
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const answer = async (page: Page, question: string, confirm: string, effects: readonly string[] = []) =>
    await agree(page, card(page).getByRole('button', { name: question }), confirm, effects);

  test('a producer is triggered, and each answer to an uncertain change does what it says', async () => {
    await using opened = await open();
    const { page, complaints } = opened;
    await card(page).getByText('Every 1 h').waitFor();
    await answer(page, 'Trigger look', 'Trigger', ["A run of producer 'look' is queued."]);
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
    // The button that asked is gone: the keyboard goes on from its card.
    const focused = 'document.activeElement.closest("section")?.getAttribute("aria-label")';
    await expect.poll(async () => await within(page, focused)).toBe('orders');
    expect(complaints).toEqual([]);
  });

  test('the audit says who answered, and which producer was triggered', async () => {
    await using opened = await visit(browser, `${stage.server.url}/ui/default/audit`);
    const { page } = opened;
    const row = page.getByRole('region', { name: 'Changes' }).getByRole('listitem');
    await row.filter({ hasText: 'answered “it happened” to orders' }).getByText('“asked by phone”').waitFor();
    await row.filter({ hasText: 'skipped a change of orders' }).waitFor();
    await row.filter({ hasText: 'triggered orders, producer look' }).waitFor();
  });

  test('a paused workflow keeps its events; one is skipped, and it goes on when resumed', async () => {
    await using opened = await open();
    const { page } = opened;
    await card(page).getByRole('button', { name: 'Pause…' }).click();
    await page.getByLabel('Note').fill('the carrier is on strike');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await card(page).getByText('the carrier is on strike').waitFor();
    await answer(page, 'Trigger look', 'Trigger');
    await card(page).getByRole('button', { name: 'Events' }).click();
    await answer(page, 'Skip order-3', 'Skip', ["The event 'order-3' of 'placed' is set aside for good."]);
    await page.getByText('Skipped order-3').waitFor();
    const { items } = await stage.carillon.hosts.events('orders', 'placed', { state: ['pending'] });
    expect(items.map(({ id }) => id)).toEqual(['order-4']);
    const made = told.made;
    await answer(page, 'Resume…', 'Resume', ['The workflow resumes.', "A run of consumer 'book' is queued."]);
    await expect.poll(() => told.made).toBe(made + 1);
  });

  test('what asks a person comes first, with a red line; a sleeping consumer tells what wakes it', async () => {
    await using opened = await open();
    const { page } = opened;
    await blocked(page);
    const names = 'Array.from(document.querySelectorAll("main section h2")).map((each) => each.textContent)';
    await expect.poll(async () => await within(page, names)).toEqual(['orders', 'archive']);
    expect(await within(page, 'document.querySelectorAll(".wires .f-fail").length')).toBe(1);
    expect(await within(page, 'document.querySelectorAll(".wires .f-busy").length')).toBe(0);
    await card(page).getByText('stopped without an answer').waitFor();
    await card(page)
      .getByText(/held for/)
      .waitFor();
    const other = page.getByRole('region', { name: 'archive' });
    await agree(page, other.getByRole('button', { name: 'Trigger collect' }), 'Trigger', []);
    await other.getByText('Asleep', { exact: true }).waitFor();
    // The word of the workflow is that of the chip that counts it.
    await other.locator('header .pill').getByText('Idle', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Idle 1' }).waitFor();
    await other
      .getByText(/^Wakes on a new event in papers, or in .*, or by hand\. 1 event waits\.$/)
      .waitFor();
    await other.getByText('last run done').first().waitFor();
    await agree(page, other.getByRole('button', { name: 'Wake file' }), 'Wake', []);
    await page.getByText('Woke file').waitFor();
    await page.getByRole('button', { name: 'Needs a decision' }).click();
    await other.waitFor({ state: 'detached' });
    expect(await card(page).count()).toBe(1);
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

/** Its first due time fails for good. */
function ticks() {
  return defineWorkflow({ name: 'ticks', topics: { tick: topic<number>() } })
    .producer('count', {
      schedule: { interval: '1s' },
      publishes: ['tick'],
      handler: () => {
        throw new Error('the counter is stuck');
      },
    })
    .consumer('take', { subscribe: ['tick'], prepare: async () => ({ reservations: [], data: {} }) });
}

describe.skipIf(withoutChromium)('a server with workflows and no schedule', () => {
  test('counts a workflow whose run no node takes by itself, not as running', async () => {
    buildOnce();
    const folder = mkdtempSync(join(tmpdir(), 'carillon-hosts-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const store = `sqlite:${join(folder, 'carillon.db')}`;
    await using program = await openCarillon({ store });
    createHost({ carillon: program, workflows: [archive()] });
    await program.start();
    await program.stop();
    // This server does not know the workflow, so its run waits.
    await using stage = await DoorStage.open({}, { store });
    await stage.carillon.hosts.trigger('archive', { producer: 'collect' });
    await using browser = await openChromium();
    await using opened = await visit(browser, `${stage.server.url}/ui/default/audit`);
    const { page } = opened;
    await page.clock.install();
    await page.goto(`${stage.server.url}/ui/default/hosts`);
    await page.getByRole('region', { name: 'archive' }).getByText('Producers').waitFor();
    await page.clock.fastForward(10_000);
    const chips = page.getByRole('group', { name: 'State' });
    await chips.getByRole('button', { name: 'Waits for a node 1' }).click();
    expect(await chips.getByRole('button', { name: /^Running/ }).count()).toBe(0);
    await page.locator('header .pill').getByText('Waits for a node that knows it').waitFor();
  });

  test('tells on the overview what needs a person, and why each due time ended as it did', async () => {
    buildOnce();
    await using stage = await DoorStage.open({}, {}, (carillon) => {
      createHost({ carillon, workflows: [ticks()], settings: { retries: 0 } });
    });
    await expect.poll(async () => (await stage.carillon.hosts.describe('ticks')).status).toBe('blocked');
    await using browser = await openChromium();
    await using opened = await visit(browser, `${stage.server.url}/ui/default/`);
    const { page } = opened;
    await page.getByText('One workflow needs you.').waitFor();
    await page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'ticks' }).waitFor();
    await page
      .getByRole('link', { name: /Workflow hosts/ })
      .first()
      .click();
    const card = page.getByRole('region', { name: 'ticks' });
    await card.getByRole('img', { name: '1 of 1 ran; latest: run failed' }).waitFor();
    await card.getByRole('button', { name: 'Due times of count' }).click();
    await card.getByRole('button', { name: 'Run failed' }).click();
    await card.getByText(/^It ran /).waitFor();
    expect(await violations(page)).toEqual([]);
    await card.getByRole('link', { name: /^Run of/ }).click();
    await page.getByText('the counter is stuck').first().waitFor();
  });
});

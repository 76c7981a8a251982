/** A run on the page, with a real clock: what stands behind its failure, its log by attempt, and what a person does with it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import type { Opened } from './page-stage.ts';
import { buildOnce, visit } from './page-stage.ts';

const linesPerAttempt = 1200;

describe.skipIf(withoutChromium)('a run', () => {
  let door: DoorStage;
  let browser: Awaited<ReturnType<typeof openChromium>>;
  beforeAll(async () => {
    buildOnce();
    browser = await openChromium();
    door = await DoorStage.open({}, {}, (carillon) => {
      carillon.handle('tenants.sync', ({ log, attempt }) => {
        for (let line = 0; line < linesPerAttempt; line += 1) log(`page ${line} of attempt ${attempt}`);
        throw new AggregateError(
          [
            new Error('tenant acme: 503', { cause: new Error('connection refused') }),
            new TypeError('no amount'),
          ],
          '2 of 12 tenants failed\u202E\nsee the log',
        );
      });
      carillon.handle('steps', async ({ heartbeat, signal }) => {
        heartbeat({ step: 1 });
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await door?.[Symbol.asyncDispose]();
  });

  const open = async (path: string, look: 'light' | 'phone' = 'light'): Promise<Opened> =>
    await visit(browser, `${door.server.url}/ui/default/${path}`, look);

  const ended = async (run: string, fields: object = {}) => {
    const { body } = await door.call('/runs', { body: { run, ...fields } });
    await door.until(`/runs/${body.id}`, ({ body: { state } }) => state === 'done');
    return body.id as string;
  };

  test('each error that a failure joins is told, with its cause, and a sentence of its first line', async () => {
    const id = await ended('tenants.sync', { retry: { attempts: 2, delays: ['10ms'] } });
    await using opened = await open(`runs/${id}`);
    const { page, complaints } = opened;
    await page.getByText('No attempt is left after 2 attempts.').waitFor();
    const failure = await page.getByRole('region', { name: 'Failure' }).innerText();
    expect(failure).toContain('1 of 2: Error: tenant acme: 503');
    expect(failure).toContain('caused by Error: connection refused');
    expect(failure).toContain('2 of 2: TypeError: no amount');

    // All attempts have their lines, the last of them in view, and the choice is in the address.
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText(`page ${linesPerAttempt - 1} of attempt 2`).waitFor();
    expect(await log.getByRole('listitem').count()).toBeLessThan(510);
    await log.getByRole('button', { name: '1', exact: true }).click();
    await log.getByText(`page ${linesPerAttempt - 1} of attempt 1`).waitFor();
    await log.getByLabel('Find in the log').fill('page 77 of');
    await log.getByText(/^1 of 1,20[12] lines$/).waitFor();
    expect(await log.locator('mark').allInnerTexts()).toEqual(['page 77 of']);
    await page.reload();
    await log.getByText('page 77 of attempt 1').waitFor();
    expect(new URL(page.url()).search).toBe('?attempt=1&find=page+77+of');
    const saved = page.waitForEvent('download');
    await log.getByRole('button', { name: 'Download' }).click();
    expect((await saved).suggestedFilename()).toBe(`run-${id}.log`);
    expect(complaints).toEqual([]);
  });

  test('a run is cancelled with a note, run again, terminated and deleted, each with its effects first', async () => {
    const { body: first } = await door.call('/runs', { body: { run: 'steps' } });
    await using opened = await open(`runs/${first.id}`);
    const { page, complaints } = opened;
    // No event tells the progress.
    await page.getByText('"step": 1').waitFor();
    const dialog = page.getByRole('dialog');
    const perform = async (verb: string, button: string, note?: string) => {
      if (verb.endsWith('!')) {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: verb.replace('!', '…') }).click();
      } else await page.getByRole('button', { name: verb }).click();
      await dialog.getByText('What will happen').waitFor();
      if (note !== undefined) await dialog.getByLabel('Note').fill(note);
      await dialog.getByRole('button', { name: button }).click();
    };
    await perform('Cancel…', 'Cancel the run', 'wrong input');
    await page.getByText('A person on this page cancelled it. Wrong input.').waitFor();
    await perform('Run again…', 'Run it again', 'the input is right now');
    await page.getByRole('link', { name: 'The run before it' }).waitFor();
    await page.getByText('"step": 1').waitFor();
    await perform('Terminate!', 'Terminate the run');
    await page.getByText('A person on this page terminated it.').waitFor();
    const gone = page.url().split('/').at(-1) as string;
    await perform('Delete!', 'Delete the run', 'a try');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    expect((await door.call(`/runs/${gone}`)).status).toBe(404);
    const audit = (await door.call('/audit')).body.items as { action: string; note: string }[];
    expect(audit.map(({ action, note }) => `${action} ${note}`)).toEqual(
      expect.arrayContaining(['cancel wrong input', 'again the input is right now', 'delete a try']),
    );
    expect(complaints).toEqual([]);
  });

  test('the list is narrowed by typing, fits its card, and a run is found by its id', async () => {
    const id = await ended('work', { queue: 'default' });
    await using opened = await open('runs');
    const { page } = opened;
    const field = page.getByPlaceholder('Schedule, handler');
    await field.fill('handler:work');
    await field.press('Enter');
    await page.getByText('carillon runs --handler work').waitFor();
    await page.getByRole('row').nth(1).getByText('Completed').waitFor();
    const overflow = await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll-x'))`,
    );
    expect(overflow).toBe(0);
    await field.fill(id);
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Run / }).waitFor();

    await using small = await open('runs', 'phone');
    await small.page.getByRole('row').nth(1).waitFor();
    const wide = await small.page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll-x'))`,
    );
    expect(wide).toBe(0);
  });
});

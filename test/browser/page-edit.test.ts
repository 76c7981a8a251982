/** The form and the playground: what is typed is neither dropped nor lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { islandData, islandZone } from '../../packages/server/src/cli/demo/island-zone.ts';
import { withoutChromium } from '../support/chromium.ts';
import { PageStage, violations } from './page-stage.ts';

describe.skipIf(withoutChromium)('in the form', () => {
  let stage: PageStage;
  beforeAll(async () => {
    stage = await PageStage.open();
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());

  test('a field that cannot be read is marked, named at the button, and nothing is saved before it can be', async () => {
    await using opened = await stage.visit('schedules/new');
    const { page, complaints } = opened;
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await page.getByLabel('Name', { exact: true }).fill('typed');
    await page.getByLabel('Handler', { exact: true }).fill('quick');
    await page.getByLabel('Input').fill('{"a":1');
    await page.getByText('Cannot be saved: Input cannot be read.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    expect(await page.getByLabel('Input').getAttribute('aria-invalid')).toBe('true');
    expect(await violations(page)).toEqual([]);
    // It is the same text after a look at the code.
    await page.getByRole('button', { name: 'YAML' }).click();
    await page.getByText('Look at it as form.').waitFor();
    await page.getByRole('button', { name: 'Form' }).click();
    await page.getByLabel('Input').fill('{"a":1}');
    await page.getByLabel('Zone', { exact: true }).fill('Europe/Berln');
    await page.getByText("Did you mean 'Europe/Berlin'?").waitFor();
    await page.getByLabel('Except on').fill('2026-12-2');
    await page.getByText('Cannot be saved: Zone, Except on cannot be read.').waitFor();
    await page.getByLabel('Zone', { exact: true }).fill('Europe/Berlin');
    await page.getByLabel('Except on').fill('2026-12-24');
    await page.getByLabel('Runs at once').fill('2');
    await page.getByLabel('Later by up to').fill('5m');
    await page.getByLabel('Pause after failures').fill('3');
    await page.getByLabel('Longest attempt').fill('90s');
    await page.getByLabel('Queue').fill('slow');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'typed' }).waitFor();
    const { spec, policy, action } = await stage.world.carillon.schedules.describe('typed');
    expect(spec).toMatchObject({
      zone: 'Europe/Berlin',
      exclude: { dates: ['2026-12-24'] },
      jitterMs: 300_000,
    });
    expect(policy).toMatchObject({ limit: 2, pauseAfterFailures: 3 });
    expect(action).toMatchObject({ input: { a: 1 }, queue: 'slow', settings: { attemptTimeoutMs: 90_000 } });
    expect(complaints).toEqual([]);
    await stage.world.carillon.schedules.delete('typed');
  });

  test('edits are there again after leaving by a link and after a reload, until they are discarded', async () => {
    await using opened = await stage.visit('schedules/digest-morning/edit');
    const { page } = opened;
    const cron = page.getByLabel('Cron');
    const before = await cron.inputValue();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await cron.fill('45 5 * * *');
    await page.getByLabel('Input').fill('{"half":');
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('Runs').click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.goBack();
    await page.getByText('Your unsaved changes are here again.').waitFor();
    // Links keep the edits; only what ends the page asks.
    expect(asked).toEqual([]);
    await page.getByLabel('Note').click();
    await page.reload();
    await page.getByText('Your unsaved changes are here again.').waitFor();
    expect(asked).toEqual(['beforeunload']);
    expect([await cron.inputValue(), await page.getByLabel('Input').inputValue()]).toEqual([
      '45 5 * * *',
      '{"half":',
    ]);
    await page.getByRole('button', { name: 'Discard them' }).click();
    expect(await cron.inputValue()).toBe(before);
    await page.reload();
    await page.getByText('Nothing is changed yet.').waitFor();
    expect(asked).toHaveLength(1);
  });

  test('a number keeps its unit while it is typed', async () => {
    await using opened = await stage.visit('schedules/new');
    const { page } = opened;
    await page.getByRole('button', { name: 'Every' }).click();
    await page.getByLabel('Unit').selectOption('minutes');
    await page.getByLabel('Every', { exact: true }).fill('');
    await page.getByLabel('Every', { exact: true }).pressSequentially('600');
    await page.getByText('Every 10 hours').first().waitFor();
    expect(await page.getByLabel('Every', { exact: true }).inputValue()).toBe('600');
  });

  test('the text of the playground can be emptied, and a zone that is not known is told', async () => {
    await using opened = await stage.visit('playground');
    const { page } = opened;
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('');
    await text.pressSequentially('5 5 * * *');
    expect(await text.inputValue()).toBe('5 5 * * *');
    await page.getByLabel('Zone', { exact: true }).fill('Asia/Tokio');
    await page.getByText('Times are still those of Europe/Berlin.').waitFor();
    expect(await violations(page)).toEqual([]);
  });
  test('times of a zone that only the spec knows are right, on every screen', async () => {
    const { carillon } = stage.world;
    const zoneData = islandData(Date.parse('2026-10-31T17:00:00Z') as never);
    const spec = { cron: [{ text: '0,30 0-6 * * *' }], zone: islandZone, zoneData };
    await carillon.schedules.create('island', { spec, run: 'quick' });
    await using opened = await stage.visit('schedules?q=island');
    const { page } = opened;
    // After the change the clock of the zone is eight hours ahead of UTC.
    await page.getByRole('row').filter({ hasText: 'island' }).getByText('Mon 02:30 UTC+8').waitFor();
    await page.getByRole('link', { name: 'island' }).first().click();
    await page.getByText('Mon 02:30 UTC+8').first().waitFor();
    await page.goto(`${stage.world.url}/ui/default/schedules/island/edit`);
    expect(await page.getByLabel('Zone', { exact: true }).inputValue()).toBe(islandZone);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page
      .getByLabel('The schedule as json')
      .fill('{"cron": "0 9 * * *", "zone": "Asia/Tokyo", "run": "quick"}');
    await page.getByText('At 09:00 every day, in Tokyo').waitFor();
    await page.getByRole('button', { name: 'Form' }).click();
    expect(await page.getByLabel('Cron').inputValue()).toBe('0 9 * * *');
    await carillon.schedules.delete('island');
  });
});

/** The form and the playground: what is typed is neither dropped nor lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import type { Instant } from '../../packages/carillon/src/spec/index.ts';
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
    await page.getByRole('heading', { level: 1, name: 'typed', exact: true }).waitFor();
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
    await page.getByRole('heading', { level: 1, name: 'Runs', exact: true }).waitFor();
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
    // An empty field is no mistake: it says what to do.
    await page.getByText('Nothing to read yet').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await text.pressSequentially('5 5 * * *');
    expect(await text.inputValue()).toBe('5 5 * * *');
    await page.getByLabel('Zone', { exact: true }).fill('Asia/Tokio');
    await page.getByText('Times are still those of Europe/Berlin.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('a text that only another dialect can read is read so at a press', async () => {
    await using opened = await stage.visit('playground?zone=UTC&dialect=klingon');
    const { page } = opened;
    await page.getByLabel('Text', { exact: true }).fill('30 2 * * * 2100');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Unix cron').getByText('no times yet').waitFor();
    await row('Temporal cron').getByRole('button', { name: 'Read it so' }).click();
    await page.getByText('At 02:30 every day in 2100').waitFor();
    await row('Temporal cron').getByText('chosen').waitFor();
    expect(new URL(page.url()).searchParams.get('dialect')).toBe('temporal');
  });

  test('a text that names its zone counts there, and is said in other dialects with that zone', async () => {
    await using opened = await stage.visit('playground?zone=Europe/Berlin');
    const { page, complaints } = opened;
    await page.getByLabel('Text', { exact: true }).fill('TZ=Asia/Tokyo 0 9 * * *');
    await page.getByText('At 09:00 every day, in Tokyo').waitFor();
    await page.getByRole('row').filter({ hasText: 'Spring' }).getByText('with the zone Asia/Tokyo').waitFor();
    await page.getByText('The text names Asia/Tokyo, which counts.').waitFor();
    // Rules have several lines.
    await page.getByLabel('Text', { exact: true }).fill('DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY');
    await page.getByText('from 2026-01-01 09:00, in UTC').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.getByLabel('Text', { exact: true }).fill('TZ=Asia/Tokyo 0 9 * * *');
    await page.getByText('At 09:00 every day, in Tokyo').waitFor();
    await page.getByRole('link', { name: 'Create from this' }).click();
    // The playground says the same words, and has a field of the same name.
    await page.getByRole('heading', { name: 'New schedule' }).waitFor();
    await page.getByText('At 09:00 every day, in Tokyo').waitFor();
    expect(await page.getByLabel('Zone', { exact: true }).inputValue()).toBe('Asia/Tokyo');
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

  test('a schedule whose only entry names its zone is edited in that zone', async () => {
    const { carillon } = stage.world;
    const spec = { cron: [{ text: '0 0 12 * * ?', dialect: 'spring' as const, zone: 'Asia/Tokyo' }] };
    await carillon.schedules.create('in-tokyo', { spec, run: 'quick' });
    await using opened = await stage.visit('schedules/in-tokyo/edit');
    const { page } = opened;
    await page.getByText('At 12:00 every day, in Tokyo').waitFor();
    expect(await page.getByLabel('Zone', { exact: true }).inputValue()).toBe('Asia/Tokyo');
    await page.getByLabel('Zone', { exact: true }).fill('Asia/Seoul');
    await page.getByText('At 12:00 every day, in Seoul').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'in-tokyo', exact: true }).waitFor();
    expect((await carillon.schedules.describe('in-tokyo')).spec).toEqual({
      cron: [{ text: '0 0 12 * * ?', dialect: 'spring', zone: 'Asia/Seoul' }],
    });
    await carillon.schedules.delete('in-tokyo');
  });

  test('an edit of one field leaves all others as they were, of every kind of work and of time', async () => {
    const { carillon } = stage.world;
    const kinds: Readonly<Record<string, ScheduleInput>> = {
      'all-times': {
        spec: {
          cron: [{ text: '0 9 * * 1-5', dialect: 'temporal', zone: 'Asia/Tokyo' }, { text: 'H H * * *' }],
          calendars: [{ hour: '9-17', dayOfWeek: 'mon-fri', comment: 'office' }],
          structuredCalendars: [
            { second: [{ start: 0 }], minute: [{ start: 5, end: 50, step: 5 }], hour: [{ start: 3 }] },
          ],
          intervals: [{ everyMs: 3_600_000, phaseMs: 300_000 }],
          rrules: [{ text: 'FREQ=WEEKLY;BYDAY=MO' }],
          times: [1_800_000_000_000 as Instant, 1_900_000_000_000 as Instant],
          exclude: { cron: [{ text: '* 12 * * *' }], calendars: [{ month: '12' }], dates: ['2026-12-25'] },
          startAt: 1_790_000_000_123 as Instant,
          jitterMs: 12_345,
          zone: 'Europe/Berlin',
          dst: { gap: 'gapEnd', fold: 'both' },
        },
        run: 'quick',
      },
      'all-policies': {
        every: '7m',
        offset: '2m',
        run: 'quick',
        input: { a: [1, null, { b: 1.5 }] },
        queue: 'slow',
        overlap: 'bufferAll',
        limit: 3,
        outstanding: 50,
        catchup: 'unlimited',
        missedLimit: 7,
        catchupPace: '90s',
        pauseAfterFailures: 4,
        idleClose: '36h',
        keepOriginalId: true,
        retry: { attempts: 5, initial: '2s', longest: '2m', jitter: 0.3 },
        timeout: '10m',
        attemptTimeout: '1500ms',
        tags: ['a', 'b c'],
        owner: 'me',
        memo: { k: { n: 1 } },
        note: 'a note',
        remaining: 20,
        paused: 'by me',
      },
      'all-http': {
        cron: '@daily',
        http: {
          url: 'https://example.com/hook?token=abc',
          method: 'PATCH',
          headers: { authorization: 'Bearer literal', 'x-key': 'Bearer $' + '{secret:HOOK}' },
          body: { a: '1' },
          timeout: '12s',
          secret: 'HOOK',
        },
      },
      'all-bullmq': {
        cron: '@daily',
        bullmq: {
          queue: 'mail',
          name: 'digest',
          data: { a: 1 },
          opts: { priority: 5, removeOnComplete: { age: 60 } },
          follow: true,
        },
      },
      'all-temporal': {
        cron: '@daily',
        temporal: {
          workflowType: 'report',
          taskQueue: 'reports',
          args: [1, { y: null }],
          retryPolicy: { maximumAttempts: 3 },
          follow: true,
        },
      },
      'all-conductor': {
        cron: '0 0 9 * * *',
        dialect: 'spring',
        conductor: { workflow: 'daily', version: 3, taskToDomain: { '*': 'blue' }, priority: 4 },
        input: { a: 1 },
      },
    };
    await using opened = await stage.visit('schedules');
    const { page } = opened;
    for (const [id, input] of Object.entries(kinds)) {
      await carillon.schedules.create(id, input);
      const said = async () => {
        const { spec, policy, action, memo, attributes, paused, remaining, tags, owner, note } =
          await carillon.schedules.describe(id);
        return { spec, policy, action, memo, attributes, paused, remaining, tags, owner, note };
      };
      const before = await said();
      await page.goto(`${stage.world.url}/ui/default/schedules/${id}/edit`);
      await page.getByLabel('Description').fill('changed');
      // By way of the code and back.
      await page.getByRole('button', { name: 'JSON' }).click();
      const code = page.getByLabel('The schedule as json');
      await code.fill(`${await code.inputValue()} `);
      await page.getByRole('button', { name: 'Form' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: id, exact: true }).waitFor();
      expect(await said()).toEqual(before);
      expect((await carillon.schedules.describe(id)).description).toBe('changed');
      await carillon.schedules.delete(id);
    }
  });

  test('several times are edited one by one, and each says what is wrong with it', async () => {
    const { carillon } = stage.world;
    const spec = {
      cron: [{ text: '0 9 * * *', zone: 'Asia/Tokyo' }, { text: '0 12 * * *' }],
      zone: 'Europe/Berlin',
    };
    await carillon.schedules.create('two-times', { spec, run: 'quick' });
    await using opened = await stage.visit('schedules/two-times/edit');
    const { page } = opened;
    const times = page.getByRole('group', { name: 'A source of times' });
    await times.nth(1).waitFor();
    expect(await times.count()).toBe(2);
    await times.nth(1).getByRole('textbox').fill('0 25 * * *');
    await times.nth(1).getByRole('alert').waitFor();
    expect(await times.nth(1).getByRole('alert').innerText()).toContain('Hour 25 is not in range');
    expect(await times.nth(0).getByRole('alert').count()).toBe(0);
    await times.nth(1).getByRole('textbox').fill('0 13 * * *');
    await page.getByRole('button', { name: 'Leave times out' }).click();
    await page.getByRole('menuitem', { name: 'By a calendar' }).click();
    await page.getByRole('button', { name: 'Add another time' }).click();
    await page.getByRole('menuitem', { name: 'Every' }).click();
    expect(await violations(page)).toEqual([]);
    await times.first().getByRole('button', { name: 'Remove this time' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'two-times', exact: true }).waitFor();
    expect((await carillon.schedules.describe('two-times')).spec).toEqual({
      cron: [{ text: '0 9 * * *', zone: 'Asia/Tokyo' }, { text: '0 13 * * *' }],
      exclude: { calendars: [{ hour: '9', dayOfWeek: 'mon-fri' }] },
      zone: 'Europe/Berlin',
    });
    await carillon.schedules.delete('two-times');
  });

  test('a conflict within one object is no conflict, and of one field both values are shown', async () => {
    const { carillon } = stage.world;
    const input = { cron: '0 9 * * *', zone: 'Europe/Berlin', run: 'quick' };
    await carillon.schedules.create('both', input);
    await using opened = await stage.visit('schedules/both/edit');
    const { page } = opened;
    await page.getByLabel('Later by up to').fill('5m');
    await page.getByLabel('Owner').fill('me');
    await carillon.schedules.patch('both', { zone: 'Asia/Tokyo', owner: 'you', catchup: '2h' });
    // It is told as soon as it happens, not only when one's own save is refused.
    await page.getByText('This schedule was saved by another person while you were editing.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    const clash = page.getByRole('alert').filter({ hasText: 'Nothing of yours is lost' });
    await clash.getByText('owner both of you: theirs you, yours me').waitFor();
    await clash.getByText('spec.zone is Asia/Tokyo now').waitFor();
    await clash.getByText('catchup is 2h now').waitFor();
    // The button that was pressed is gone; the answer to the conflict has the focus.
    await clash.locator('button:focus', { hasText: 'Save both' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save both, yours where both changed' }).click();
    await page.getByRole('heading', { level: 1, name: 'both', exact: true }).waitFor();
    const { spec, owner } = await carillon.schedules.describe('both');
    expect(spec).toMatchObject({ zone: 'Asia/Tokyo', jitterMs: 300_000 });
    expect(owner).toBe('me');
    await carillon.schedules.delete('both');
  });

  test('a new schedule is typed and created without the mouse', async () => {
    await using opened = await stage.visit('schedules');
    const { page } = opened;
    await page.keyboard.press('c');
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    await page.locator('#id:focus').waitFor();
    await page.keyboard.type('typed-only');
    await page.getByLabel('Handler', { exact: true }).fill('quick');
    await page.getByLabel('Cron').fill('H 3 * * *');
    await page.getByText('The schedule is created').waitFor();
    // An `H` depends on the name: the form shows the minute that the server takes.
    const first = await page.getByText(/^Its first slot is at/).textContent();
    const [, minute = 'none'] = /03:(\d\d)/.exec(first ?? '') ?? [];
    const words = page.getByRole('region', { name: 'In words' });
    await words.getByText(`At 03:${minute} every day, in UTC`).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: 'typed-only', exact: true }).waitFor();
    await page.getByText(`At 03:${minute} every day`, { exact: true }).first().waitFor();
    await stage.world.carillon.schedules.delete('typed-only');
  });

  test('on a phone the words are beside the fields too, because the preview is far below', async () => {
    await using opened = await stage.visit('schedules/new', 'phone');
    const { page } = opened;
    await page.getByLabel('Cron').fill('15 9 * * *');
    const words = page
      .getByRole('region', { name: 'When', exact: true })
      .getByText('At 09:15 every day, in UTC. Next ');
    await words.waitFor();
    expect(await words.textContent()).toMatch(/ Next Mon 09:15 UTC\.$/);
    await page.setViewportSize({ width: 1440, height: 900 });
    await words.waitFor({ state: 'hidden' });
  });

  test('a schedule without times is told as one, and not as one whose times are over', async () => {
    const { carillon } = stage.world;
    await carillon.schedules.create('by-hand', { run: 'quick' });
    await using opened = await stage.visit('schedules/by-hand/edit');
    const { page } = opened;
    const words = page.getByRole('region', { name: 'In words' });
    await words.getByText('Never on its own, only when triggered', { exact: true }).waitFor();
    expect(await words.getByText('No time is left').count()).toBe(0);
    await page.goto(`${stage.world.url}/ui/default/schedules?q=by-hand`);
    await page.getByRole('row', { name: 'by-hand' }).getByText('when it is triggered').waitFor();
    await carillon.schedules.delete('by-hand');
  });

  test('the form of a schedule that is not there says which one was probably meant', async () => {
    await using opened = await stage.visit('schedules/invoice-snc/edit');
    const { page } = opened;
    await page.getByText('The schedule invoice-snc cannot be found').waitFor();
    await page.getByRole('link', { name: 'To all schedules' }).waitFor();
    await page.getByRole('link', { name: 'invoice-sync', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit invoice-sync' }).waitFor();
  });

  test('other work that another person chose stays, when one edits something else', async () => {
    const { carillon } = stage.world;
    await carillon.schedules.create('moved-on', { cron: '@daily', zone: 'UTC', run: 'quick' });
    await using opened = await stage.visit('schedules/moved-on/edit');
    const { page } = opened;
    await page.getByLabel('Description').fill('mine');
    await carillon.schedules.upsert('moved-on', {
      cron: '@daily',
      zone: 'UTC',
      http: { url: 'https://example.com/hook' },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save both', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'moved-on', exact: true }).waitFor();
    const { action, description } = await carillon.schedules.describe('moved-on');
    expect(action.kind).toBe('http');
    expect(description).toBe('mine');
    await carillon.schedules.delete('moved-on');
  });

  test('a look at other kinds of time and work loses nothing', async () => {
    const { carillon } = stage.world;
    const headers = { authorization: 'Bearer literal', 'x-tenant': 'acme' };
    await carillon.schedules.create('kinds', {
      cron: '17 4 * * *',
      zone: 'Europe/Berlin',
      http: { url: 'https://example.com/hook', method: 'PUT', headers },
    });
    const before = (await carillon.schedules.describe('kinds')).action;
    await using opened = await stage.visit('schedules/kinds/edit');
    const { page } = opened;
    const pick = async (name: string) => await page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel('Address').waitFor();
    await pick('Every');
    await page.getByLabel('Every').fill('7');
    await pick('By hand');
    await pick('Every');
    expect(await page.getByLabel('Every').inputValue()).toBe('7');
    await pick('Cron');
    expect(await page.getByLabel('Cron').inputValue()).toBe('17 4 * * *');
    for (const kind of ['Handler', 'Command', 'BullMQ', 'Temporal', 'Conductor']) await pick(kind);
    await page.getByText('Still missing: what runs.').waitFor();
    await page.getByLabel('Workflow', { exact: true }).fill('order');
    await page.getByText('Still missing').waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);
    await pick('HTTP');
    await page.getByText('Nothing is changed yet.').waitFor();
    await page.getByLabel('Headers').fill('{ "authorization": "[redacted]", "x-tenant": "other" }');
    await page.getByLabel('Method').selectOption('PATCH');
    await pick('Save');
    await page.getByRole('heading', { level: 1, name: 'kinds', exact: true }).waitFor();
    const after = (await carillon.schedules.describe('kinds')).action;
    const secret = { authorization: '[redacted]' };
    expect(before).toMatchObject({ kind: 'http', input: { method: 'PUT', headers: secret } });
    expect(after).toEqual({
      ...before,
      input: {
        url: 'https://example.com/hook',
        method: 'PATCH',
        headers: { ...secret, 'x-tenant': 'other' },
      },
    });
    await carillon.schedules.delete('kinds');
  });

  test('what a save would do is asked when the hand rests, and a server that is away refuses nothing', async () => {
    await using opened = await stage.visit('schedules/digest-morning/edit');
    const { page } = opened;
    let asked = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') asked += 1;
    });
    const save = page.getByRole('region', { name: 'On save' });
    await page.getByLabel('Description').pressSequentially('typed by a quick hand');
    await save.getByText('What will happen').waitFor();
    expect(asked).toBeLessThan(5);
    await page.route('**/schedules/digest-morning?*', async (route) => await route.abort());
    await page.getByLabel('Owner').fill('someone');
    await save.getByText('The server does not answer.').first().waitFor();
    expect(await save.getByText('would be refused').count()).toBe(0);
    await page.unroute('**/schedules/digest-morning?*');
    await page.getByLabel('Owner').fill('someone else');
    await save.getByText('What will happen').waitFor();
    await save.getByText('The server does not answer.').waitFor({ state: 'detached' });
  });

  test('what is missing is said, and the command is the whole one', async () => {
    await using opened = await stage.visit('schedules/new');
    const { page } = opened;
    await page.getByText('Still missing: the name, what runs.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('whole');
    await page.getByText('Still missing: what runs.').waitFor();
    await page.getByLabel('Handler', { exact: true }).fill('quick');
    await page.getByText("carillon schedule create whole --cron '0 9 * * 1-5' --run quick").waitFor();
  });
});

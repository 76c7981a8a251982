/** The page of the API in a real browser, under the policy it is sent with. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../packages/server/src/door/native/native-door.ts';
import { DoorStage } from '../door/door-stage.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { newContext } from './page-stage.ts';

describe.skipIf(withoutChromium)('the page of the API', () => {
  let browser: Browser;
  let stage: DoorStage;
  beforeAll(async () => {
    browser = await openChromium();
    stage = await DoorStage.open();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.server.stop();
  });

  /** Every complaint of the browser, and every address it asked for. */
  async function open(width: number, colorScheme: 'light' | 'dark') {
    const context = await newContext(browser, { viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${stage.server.url}/api/v1/docs`);
    return { page, complaints, asked };
  }

  /** Run in the page, where there is a document; here there is none, so it is written as text. */
  const within = async <T>(page: Page, code: string): Promise<T> => (await page.evaluate(code)) as T;

  test('shows every operation, loads nothing else and breaks no rule of its policy', async () => {
    const { page, complaints, asked } = await open(1280, 'light');
    const shown = await page.locator('summary').allInnerTexts();
    expect(shown).toHaveLength(operations.length);
    expect(shown.join('\n')).toContain('/schedules/{id}:pause');
    // The sheet is in force, not merely there.
    expect(await within(page, `getComputedStyle(document.querySelector('summary')).display`)).toBe('grid');
    expect(asked).toEqual([`${stage.server.url}/api/v1/docs`]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('opens an operation, and its links lead to shapes that are there', async () => {
    const { page } = await open(1280, 'light');
    await page.locator('#createSchedule summary').click();
    await page.locator('#createSchedule').getByRole('link', { name: 'NewSchedule' }).click();
    expect(await page.locator('#NewSchedule').isVisible()).toBe(true);
    const broken = await within(
      page,
      `[...document.querySelectorAll('a[href^="#"]')]
        .map((link) => link.getAttribute('href').slice(1))
        .filter((id) => document.getElementById(id) === null)`,
    );
    expect(broken).toEqual([]);
    await page.context().close();
  });

  test('fits a phone with everything open, and is dark where that is wished', async () => {
    const { page } = await open(390, 'dark');
    await within(page, `for (const each of document.querySelectorAll('details')) each.open = true`);
    const root = 'document.documentElement';
    expect(await within(page, `${root}.scrollWidth - ${root}.clientWidth`)).toBe(0);
    const text = await within(page, `getComputedStyle(document.querySelector('h1')).color`);
    expect(text).toBe('rgb(255, 255, 255)');
    await page.context().close();
  });
});

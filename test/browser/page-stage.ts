/** One browser and one server for the tests of the page, with short ways to open it and to check it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { builtPage } from '../../packages/server/src/door/page/page-files.ts';
import { openChromium } from '../support/chromium.ts';
import type { PageWorld } from './page-world.ts';
import { openPageWorld } from './page-world.ts';

/** Screenshots of every screen, for people to look at; not kept in the repository. */
export const screens = fileURLToPath(new URL('./screens/', import.meta.url));

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the browser, and requests to addresses outside the server. */
  readonly complaints: string[];
}

export type Look = 'light' | 'dark' | 'phone';

export class PageStage implements AsyncDisposable {
  readonly browser: Browser;
  readonly world: PageWorld;

  private constructor(browser: Browser, world: PageWorld) {
    this.browser = browser;
    this.world = world;
  }

  static async open(): Promise<PageStage> {
    buildOnce();
    mkdirSync(screens, { recursive: true });
    const [browser, world] = await Promise.all([openChromium(), openPageWorld()]);
    return new PageStage(browser, world);
  }

  /** `path` below `/ui/default/`, or an address that begins with http. */
  async visit(path: string, look: Look = 'light', more: BrowserContextOptions = {}): Promise<Opened> {
    const address = path.startsWith('http') ? path : `${this.world.url}/ui/default/${path}`;
    return await visit(this.browser, address, look, more);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.world[Symbol.asyncDispose]();
  }
}

/** Pages without the cookies and the storage of others. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  // A wait that ends with the name of what was waited for; the test's own limit would not say it.
  context.setDefaultTimeout(60_000);
  return context;
}

export async function visit(
  browser: Browser,
  address: string,
  look: Look = 'light',
  more: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await newContext(browser, {
    viewport: look === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: look === 'dark' ? 'dark' : 'light',
    hasTouch: look === 'phone',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    ...more,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const { origin } = new URL(address);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  const close = async () => await context.close();
  return { page, complaints, [Symbol.asyncDispose]: close };
}

/** The tests look at the built files; without them they are built first. */
export function buildOnce(): void {
  if (existsSync(`${builtPage}manifest.json`)) return;
  const script = fileURLToPath(new URL('../../scripts/build-page.mjs', import.meta.url));
  const built = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the page could not be built:\n${built.stderr}`);
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Every violation of the rules A, AA, 2.2 AA and best practice, one line each. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then((found) => found.violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  );
  return (found as readonly Violation[]).map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary?.split('\n').at(-1)?.trim()})`).join(' | ')}`,
  );
}

/** Run in the page, where there is a document; here there is none, so it is written as text. */
export async function within<T>(page: Page, code: string): Promise<T> {
  return (await page.evaluate(code)) as T;
}

/** The door of the page: static files below `/ui/`, the page itself at every other address there. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from './door-stage.ts';

const script = 'console.log("page")';
const inside = '<style>a{color:red}</style><script>first()</script>';

describe('the page', () => {
  let folder: string;
  let stage: DoorStage;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-page-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(
      join(folder, 'index.html'),
      `<base href="__CARILLON_BASE__">${inside}<div id="root"></div>`,
    );
    writeFileSync(join(folder, 'assets/main-abc.js'), script);
    writeFileSync(join(folder, 'assets/main-abc.js.gz'), gzipSync(script));
    writeFileSync(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script));
    stage = await DoorStage.open({ page: { folder, basePath: '/tools/carillon' } });
  });
  afterAll(async () => {
    await stage.server.stop();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${stage.server.url}${path}`, { headers, redirect: 'manual' });

  test('a namespace may have the name of the folder of the files', async () => {
    for (const path of ['/ui/assets/', '/ui/assets/schedules', '/ui/assets/schedules/nightly.js']) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
  });

  test.each(['/', '/ui'])('%s leads to the page', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/tools/carillon/ui/');
  });

  test.each(['/ui/', '/ui/default/schedules', '/ui/default/schedules/a.b?at=2026-11-01T00:00:00Z'])(
    '%s is the page, with the path to itself',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('<base href="/tools/carillon/ui/">');
    },
  );

  test('nothing but its own files may run in it, and no frame may hold it', async () => {
    const policy = (await get('/ui/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('the style and the script in the page are allowed by the hashes of their content', async () => {
    const policy = (await get('/ui/')).headers.get('content-security-policy') ?? '';
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toContain(`script-src 'self' ${hash('first()')};`);
    expect(policy).toContain(`style-src 'self' ${hash('a{color:red}')};`);
  });

  test.each(['br', 'gzip'])('the page itself is sent as %s to who accepts it', async (encoding) => {
    const answer = await get('/ui/', { 'accept-encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(await answer.text()).toContain('<base href="/tools/carillon/ui/">');
  });

  test('the page is asked for again and answered by its tag; its files are kept for ever', async () => {
    const page = await get('/ui/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const etag = page.headers.get('etag') ?? '';
    expect((await get('/ui/', { 'if-none-match': etag })).status).toBe(304);
    const file = await get('/ui/assets/main-abc.js');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('who accepts %s gets %s', async (accepted, encoding) => {
    const answer = await get('/ui/assets/main-abc.js', { 'accept-encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(await answer.text()).toBe(script);
  });

  test('a file that is not there is an error that is not kept', async () => {
    const answer = await get('/ui/assets/main-old.js');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('no path leads out of the folder', async () => {
    for (const path of ['/ui/assets/../../package.json', '/ui/assets/%2e%2e/%2e%2e/package.json']) {
      const answer = await get(path);
      expect(await answer.text()).not.toContain('"name"');
    }
  });

  test('needs no key, and the API does', async () => {
    const keys = [{ name: 'ops', hash: `sha256:${'0'.repeat(64)}`, role: 'admin' as const }];
    await using locked = await DoorStage.open({ page: { folder }, keys });
    expect((await fetch(`${locked.server.url}/ui/`)).status).toBe(200);
    expect((await fetch(`${locked.server.url}/api/v1/nodes`)).status).toBe(401);
  });

  test('is left out when the configuration says so', async () => {
    await using closed = await DoorStage.open({ page: false });
    expect((await fetch(`${closed.server.url}/ui/`)).status).toBe(404);
  });

  test('says what to do when it was not built', async () => {
    await using unbuilt = await DoorStage.open({ page: { folder: join(folder, 'absent') } });
    expect(await (await fetch(`${unbuilt.server.url}/ui/`)).text()).toContain('npm run build');
  });
});

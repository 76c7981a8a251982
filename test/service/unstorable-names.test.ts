import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';

test('names that a store would make into another are refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-names-'));
  const carillon = await openCarillon(`sqlite:${join(directory, 'a.db')}`);
  onTestFinished(async () => {
    await carillon[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });
  await carillon.schedules.create('nightly', { every: '1h', run: 'work' });
  await carillon.schedules.create('nightly-𝄞-ü', { every: '1h', run: 'work' });
  for (const id of ['nightly\0two', 'nightly\ud800', '\udc00nightly']) {
    await expect(carillon.schedules.create(id, { every: '1h', run: 'work' })).rejects.toMatchObject({
      problems: [{ path: 'id', reason: 'BAD_ID' }],
    });
  }
  expect(await carillon.schedules.count()).toBe(2);
});

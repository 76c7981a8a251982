/** Packages that a program installs only when it needs them: without them the error says what to install. */
import { expect, test } from 'vitest';
import { loadBullmq, loadRedis } from '../../packages/carillon/src/action/bullmq-driver.ts';
import { openTemporal } from '../../packages/carillon/src/action/temporal-driver.ts';
import { packagedDriver } from '../../packages/carillon/src/store/sqlite/driver.ts';

const absent = () =>
  Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }));
const broken = () => Promise.reject(new SyntaxError('Unexpected token'));

test.each([
  [
    '@carillon/sqlite-node20',
    async (load: typeof absent) => {
      const outcome = await load().catch((error: unknown) => error);
      return packagedDriver(() => {
        throw outcome;
      });
    },
    'npm install @carillon/sqlite-node20',
  ],
  ['bullmq', loadBullmq, 'npm install bullmq ioredis'],
  ['ioredis', loadRedis, 'npm install bullmq ioredis'],
  [
    '@temporalio/client',
    (importing: typeof absent) => openTemporal({ address: '127.0.0.1:7233' }, importing),
    'npm install @temporalio/client',
  ],
])(
  'without %s the error names the command that installs it; a broken one shows why',
  async (name, load, install) => {
    const missing = await load(absent).catch((error: unknown) => error as Error);
    expect(missing).toMatchObject({ code: 'failedPrecondition', reason: 'DRIVER_MISSING' });
    expect((missing as Error).message).toContain(`the package '${name}', which is not installed: ${install}`);
    await expect(load(broken)).rejects.toThrow('Unexpected token');
  },
);

/** Handlers, actions and stores may come from another copy of the library than the one that runs them. */
import { inspect } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { isActionFailed } from '../../packages/carillon/src/action/action-failed.ts';
import { isServiceError, ServiceError } from '../../packages/carillon/src/base/error.ts';
import { isCarillonError } from '../../packages/carillon/src/client/error.ts';
import { conclusionOfResult } from '../../packages/carillon/src/runs/conclusion.ts';
import { isRunInterrupted } from '../../packages/carillon/src/runs/context.ts';
import { failureOf } from '../../packages/carillon/src/runs/failure.ts';
import { isStoreError } from '../../packages/carillon/src/store/error.ts';

const library = '../../packages/carillon/src/';

/** The same module, evaluated once more. */
async function copyOf<Module>(path: string): Promise<Module> {
  return (await import(/* @vite-ignore */ `${library}${path}?copy`)) as Module;
}

type Context = typeof import('../../packages/carillon/src/runs/context.ts');
type Errors = typeof import('../../packages/carillon/src/base/error.ts');
type Parked = typeof import('../../packages/carillon/src/runs/parking.ts');
type Failures = typeof import('../../packages/carillon/src/runs/failure.ts');
type Stores = typeof import('../../packages/carillon/src/store/error.ts');
type Actions = typeof import('../../packages/carillon/src/action/action-failed.ts');
type Clients = typeof import('../../packages/carillon/src/client/error.ts');

test('a second copy has classes of its own', async () => {
  const other = await copyOf<Errors>('base/error.ts');
  expect(other.ServiceError).not.toBe(ServiceError);
  expect(ServiceError.invalid([])).not.toBeInstanceOf(other.ServiceError);
});

test('an error is printed under its own name, whatever a bundler made of its class', async () => {
  const input = new URL(`${library}base/error.ts`, import.meta.url).pathname;
  const bundled = await build({ entryPoints: [input], bundle: true, format: 'esm', write: false });
  const [file] = bundled.outputFiles;
  expect(file?.text).toContain('class _ServiceError');
  const address = `data:text/javascript,${encodeURIComponent(file?.text ?? '')}`;
  const errors = (await import(/* @vite-ignore */ address)) as Errors;
  expect(errors.ServiceError.name).toBe('ServiceError');
  expect(inspect(errors.ServiceError.invalid([]))).toMatch(/^ServiceError: /);
});

test('errors of another copy are recognised', async () => {
  const errors = await copyOf<Errors>('base/error.ts');
  const refused = new errors.ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message: 'no' });
  expect(isServiceError(refused)).toBe(true);
  expect(ServiceError.from(refused)).toBe(refused);
  const stores = await copyOf<Stores>('store/error.ts');
  expect(isStoreError(new stores.StoreError('conflict', 'lost'))).toBe(true);
  const contexts = await copyOf<Context>('runs/context.ts');
  expect(isRunInterrupted(new contexts.RunInterrupted('cancelled', 'stop'))).toBe(true);
  const actions = await copyOf<Actions>('action/action-failed.ts');
  expect(isActionFailed(new actions.ActionFailed({ message: 'no' }))).toBe(true);
  const clients = await copyOf<Clients>('client/error.ts');
  const answer = { status: 404, code: 'notFound', reason: 'NOT_FOUND', message: 'no' };
  expect(isCarillonError(new clients.CarillonError(answer))).toBe(true);
  for (const is of [isServiceError, isStoreError, isRunInterrupted, isActionFailed, isCarillonError]) {
    expect(is(new Error('another one'))).toBe(false);
    expect(is(undefined)).toBe(false);
  }
});

test('what a handler of another copy returns or throws is understood', async () => {
  const { park } = await copyOf<Parked>('runs/parking.ts');
  expect(conclusionOfResult(park({ forMs: 5000 }))).toEqual({ kind: 'parked', forMs: 5000 });
  const { NonRetryable } = await copyOf<Failures>('runs/failure.ts');
  expect(failureOf(new NonRetryable('never again', { details: { at: 1 } }))).toMatchObject({
    nonRetryable: true,
    details: { at: 1 },
  });
});

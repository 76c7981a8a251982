/** A module of the user that registers handlers: `export function register(carillon) { … }`. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Carillon } from 'carillon';
import { ServiceError } from 'carillon/internal/base';
import { importFresh } from './fresh-imports.ts';

export type Register = (carillon: Carillon) => unknown;

const fix = "write: export function register(carillon) { carillon.handle('name', async (run) => { … }); }";

/** Loads the module; `fresh`: also when it was loaded before. Throws an `invalidArgument` that names the setting. */
export async function loadHandlers(
  handlers: string,
  { fresh }: { readonly fresh: boolean },
): Promise<Register> {
  const file = resolve(handlers);
  let found: Readonly<Record<string, unknown>>;
  try {
    found = fresh
      ? await importFresh(file)
      : ((await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>);
  } catch (error) {
    throw refusal(
      'UNREADABLE',
      `cannot load ${file}: ${(error as Error).message}`,
      typeScriptFix(file, error),
    );
  }
  if (typeof found.register === 'function') return found.register as Register;
  throw refusal('NO_REGISTER', `${file} exports no function 'register'`, fix);
}

function refusal(reason: string, message: string, advice?: string): ServiceError {
  return ServiceError.invalid([
    { path: 'handlers', reason, message, ...(advice === undefined ? {} : { fix: advice }) },
  ]);
}

function typeScriptFix(file: string, error: unknown): string | undefined {
  if (!/\.[cm]?tsx?$/.test(file)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_UNKNOWN_FILE_EXTENSION'
    ? "Node 22.18 and newer read TypeScript; with an older one set NODE_OPTIONS='--import tsx'"
    : undefined;
}

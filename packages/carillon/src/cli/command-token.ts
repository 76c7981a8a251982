/**
 * The token that `carillon dev` requires before it runs commands, because other users of the machine can reach its
 * port. It is stored in a file that only the user who started the server can read, one per address, so that the
 * command line finds it by itself.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Loopback host names. The token is sent to no other host. */
const loopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

/** Returns undefined when the user has no directory for such files. */
export function commandTokenFile(env: Environment, url: string): string | undefined {
  const { hostname, port } = new URL(url);
  if (!loopback.test(hostname)) return undefined;
  const state = given(env.XDG_STATE_HOME) ?? (given(env.HOME) && join(env.HOME as string, '.local', 'state'));
  return state === undefined ? undefined : join(state, 'carillon', `dev-${port || '80'}.token`);
}

/** Writes the token for a server at this address. Returns the file, and a function that removes it. */
export function keepCommandToken(
  env: Environment,
  url: string,
  token: string,
): { readonly file: string; remove(): void } | undefined {
  const file = commandTokenFile(env, url);
  if (file === undefined) return undefined;
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  // Writing to an existing file would keep its mode, so it is deleted first.
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  return {
    file,
    remove: () => {
      // Another server may use the address by now.
      if (readToken(file) === token) rmSync(file, { force: true });
    },
  };
}

export function findCommandToken(env: Environment, url: string): string | undefined {
  const file = commandTokenFile(env, url);
  return file === undefined ? undefined : readToken(file);
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

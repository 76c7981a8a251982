/**
 * The token that `carillon dev` asks for before it runs commands: other users of the machine reach its port, too. It is in
 * a file that only the user who started it can read, one for each address, so that the command line finds it by itself.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of this machine. The token is sent nowhere else. */
const loopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

/** Undefined: there is no place for files of this user. */
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
  // A file that is there keeps its mode when it is written, so it goes first.
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  return {
    file,
    remove: () => {
      // Another server may have taken the address since.
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

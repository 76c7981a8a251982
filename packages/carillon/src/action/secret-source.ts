/**
 * The sources of secrets: environment variables with a prefix, a file, or a function of the program. Schedules can
 * only name secrets of these sources; other environment variables are out of reach.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Secrets } from './secret.ts';

export interface SecretSource {
  /** The prefix of the variables: `${secret:NAME}` reads the variable prefix + NAME. Default `CARILLON_SECRET_`. */
  readonly envPrefix?: string;
  /** A file with lines `NAME=value`. It is read again when it changes, and it takes precedence over the environment. */
  readonly file?: string;
}

export const defaultPrefix = 'CARILLON_SECRET_';

export function secretsFrom(
  { envPrefix = defaultPrefix, file }: SecretSource,
  environment: (name: string) => string | undefined,
): Secrets {
  const inFile = file === undefined ? () => undefined : fileSecrets(file);
  return (name) => inFile(name) ?? environment(`${envPrefix}${name}`);
}

function fileSecrets(file: string): Secrets {
  let known = new Map<string, string>();
  let version = '';
  return (name) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const found = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    if (found !== version) {
      known = parseSecrets(readFileSync(file, 'utf8'));
      version = found;
    }
    return known.get(name);
  };
}

/** Lines `NAME=value`; empty lines and those that begin with `#` are skipped. A value is everything behind the first `=`. */
export function parseSecrets(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
    }),
  );
}

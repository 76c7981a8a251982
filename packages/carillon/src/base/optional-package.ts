/**
 * Packages that a user installs only when they are needed, such as drivers and OpenTelemetry. Their names reach
 * `import()` and `require()` as values, so that a bundler does not follow them and a bundle can be made where they
 * are absent.
 */
import { createRequire } from 'node:module';

/** Loads a package. When it is absent, this fails as `import()` does. */
export async function importPackage(name: string): Promise<unknown> {
  return await import(/* @vite-ignore */ name);
}

/** Loads a package synchronously with `require()`. Throws when the package is absent. */
export function requirePackage(name: string): unknown {
  return requireHere(name) as unknown;
}

/** The file that `requirePackage` would load, for a thread that loads it by itself. */
export function packageFile(name: string): string {
  return requireHere.resolve(name);
}

const requireHere = createRequire(placeOfThisCode());

/** A bundle in CommonJS has no `import.meta.url`; its packages are looked up from the working directory. */
function placeOfThisCode(): string {
  const url = import.meta.url as string | undefined;
  return url === undefined || url === '' ? `${process.cwd()}/` : url;
}

/** The API key of this browser. Kept for the tab unless the person asks to keep it longer. */
import { keptName } from './address.ts';

const name = keptName('key');

export function readKey(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepKey(key: string, isForLong: boolean): void {
  try {
    sessionStorage.setItem(name, key);
    if (isForLong) localStorage.setItem(name, key);
  } catch {
    // Without storage the key lasts until the page is reloaded.
  }
}

export function forgetKey(): void {
  try {
    sessionStorage.removeItem(name);
    localStorage.removeItem(name);
  } catch {
    // Without storage there is nothing to remove.
  }
}

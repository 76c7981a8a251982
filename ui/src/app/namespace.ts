/** The namespace that was last looked at, for an address that names none. */
import { keptName } from '../data/address.ts';

const name = keptName('namespace');

export function lastNamespace(): string {
  try {
    return localStorage.getItem(name) ?? 'default';
  } catch {
    return 'default';
  }
}

export function rememberNamespace(namespace: string): void {
  try {
    localStorage.setItem(name, namespace);
  } catch {
    // Then the default namespace opens first.
  }
}

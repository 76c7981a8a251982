/** The namespace that was shown last, for an address that names none. */
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
    // Without storage the default namespace opens first.
  }
}

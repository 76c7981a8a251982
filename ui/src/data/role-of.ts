/** What a role may do on the page. Pure. */
import type { About } from 'carillon/client';

export type KeyRole = About['role'];

/** Undefined: the server has not said it yet. Workers take up runs; they change no schedule. */
export function mayChange(role: KeyRole | undefined): boolean {
  return role === 'operator' || role === 'admin';
}

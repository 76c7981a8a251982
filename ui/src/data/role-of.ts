/** What a role may do on the page. Pure. */
import type { About } from 'carillon/client';

export type KeyRole = About['role'];

/**
 * Whether the role may change schedules. Undefined, while the server has not answered, may not; workers only take up
 * runs.
 */
export function mayChange(role: KeyRole | undefined): boolean {
  return role === 'operator' || role === 'admin';
}

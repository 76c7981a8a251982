/** Finds out whether the server has another version of the page than the one that runs here. */
import { pagePath } from '../data/address.ts';

export type Standing = 'newer' | 'same' | 'away';

/** The name of this file carries a hash of its content, and the page of the same version names it. */
const own = new URL(import.meta.url).pathname.split('/').at(-1) ?? '';

export async function standing(): Promise<Standing> {
  try {
    const answer = await fetch(`${pagePath}/`, { cache: 'no-cache' });
    if (!answer.ok) return 'away';
    return (await answer.text()).includes(own) ? 'same' : 'newer';
  } catch {
    return 'away';
  }
}

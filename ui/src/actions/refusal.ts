/** Why a dry run was refused, in words. Pure. */
import type { Trouble } from '../data/api.ts';
import { sentence } from '../parts/sentence.ts';

export interface Refusal {
  readonly title: string;
  readonly text: string;
}

/** Says that the server does not answer where it has not refused anything. */
export function refusalOf({ isOffline, message }: Pick<Trouble, 'isOffline' | 'message'>): Refusal {
  return isOffline
    ? { title: 'The server does not answer.', text: 'What will happen is told when it does.' }
    : { title: 'This would be refused.', text: sentence(message) };
}

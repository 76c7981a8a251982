/** Work counted in turns of the event loop. */
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';

/**
 * Turns of the event loop until the work is over. Work that waits for a timer takes hundreds of them or more; a slow machine
 * makes them fewer, never more.
 */
export async function turnsOf(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  let turns = 0;
  for (; !isOver; turns += 1) await nextTurn();
  return turns;
}

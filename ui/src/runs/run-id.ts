/**
 * The short name of a run: the time at the beginning of its id, and enough of the rest to distinguish runs of the same moment.
 * The server finds a run by it, because it is the beginning of the id.
 */
export function shortRunId(id: string): string {
  return isMade.test(id) ? id.slice(0, shortLength) : id;
}

const isMade = /^[0-9a-z]{9}-[0-9a-z]{14,}$/;
const shortLength = 9 + 1 + 5;

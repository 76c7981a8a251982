/** Why a schedule paused itself, in words: its note names only the last run. Pure. */

/** Such as `after 3 failures in a row`; empty for a schedule without such a rule. */
export function afterFailures(most: number | undefined): string {
  if (!most) return '';
  return `after ${most === 1 ? 'a failure' : `${most} failures in a row`}`;
}

/** What to write in place of a name that is not a time zone: the names it is like, or how names look. */
import { didYouMean, nearNames } from '../../base/near-names.ts';
import { zoneNames } from './zone.ts';

/** `PST` is not a mistyped `EST`. */
const abbreviation = /^[A-Z]{2,5}$/;

export function zoneFix(name: string, otherwise = 'write an IANA name such as Europe/Berlin'): string {
  if (abbreviation.test(name)) return otherwise;
  return didYouMean(nearNames(name, zoneNames())) ?? otherwise;
}

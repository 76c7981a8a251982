/** Times inside sentences of the server, as the page writes them. Pure. */
import { whenText } from '../time/text.ts';

const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

export function withTimes(sentence: string, zone: string, now: number): string {
  return sentence.replace(instant, (found) => whenText(zone, Date.parse(found), now));
}

/** Finds the part of a text that an error message is about. Pure. */
import { cronSpan, type Dialect } from 'carillon/spec';

export interface Mistake {
  /** The index of the first character; `to` is the index after the last. */
  readonly from: number;
  readonly to: number;
}

/** The part that the message is about; undefined when it is about the whole text. */
export function mistakeIn(
  text: string,
  dialect: string,
  { message, reason }: { readonly message: string; readonly reason?: string },
): Mistake | undefined {
  const end = text.trimEnd().length;
  if (reason === 'FIELD_COUNT') return { from: end, to: end + 1 };
  const field = dialect === 'rrule' ? rulePart(text, message) : cronSpan(text, dialect as Dialect, message);
  const [from, to] = field ?? [0, text.length];
  const [, quoted] = /"([^"]+)"/.exec(message) ?? [];
  const said = message.split(' ').filter((word) => /^@|\d/.test(word) && !word.startsWith('['));
  // A number may occur several times in the text, so it is searched only within the field of the message.
  const words =
    quoted !== undefined ? [quoted] : said.filter((word) => field !== undefined || word.startsWith('@'));
  for (const word of words) {
    const place = text.slice(from, to).indexOf(word);
    if (place >= 0) return { from: from + place, to: from + place + word.length };
  }
  return field === undefined ? undefined : { from, to };
}

/** `BYHOUR: "25" is not in 0–23` is about the part BYHOUR. */
function rulePart(text: string, message: string): readonly [number, number] | undefined {
  const [, name] = /^([A-Z]+):/.exec(message) ?? [];
  const found = name === undefined ? null : new RegExp(`\\b${name}=[^;\\s]*`, 'i').exec(text);
  return found === null ? undefined : [found.index, found.index + found[0].length];
}

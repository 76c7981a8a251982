/**
 * How deep data nests. The code that later checks, copies or serialises the data calls itself for each level and
 * could overflow the stack. So this check runs first, and without recursion.
 */

/** Counts lists and objects inside each other. A value that contains itself is deeper than any limit. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    // A value that occurs twice is visited once, so that shared values cannot make the walk grow without bound.
    const next = new Set<unknown>();
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const inner of Object.values(each))
        if (typeof inner === 'object' && inner !== null) next.add(inner);
    }
    level = [...next];
  }
  return false;
}

/** Like `isDeeper`, for JSON text that has not been parsed yet. Brackets inside strings do not count. */
export function isDeeperJson(json: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

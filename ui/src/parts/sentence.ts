/** A message of the server as a sentence: a capital at its beginning, a full stop at its end. Pure. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** The message about a change that was refused. */
export function unchanged(message: string): string {
  return `${sentence(message)} Nothing was changed.`;
}

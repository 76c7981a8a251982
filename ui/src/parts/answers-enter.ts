/** Whether a key in a field presses the primary button of a dialog, as in a form of the browser. Pure. */
export interface PressedIn {
  readonly key: string;
  /** Ctrl or ⌘. */
  readonly isHeld: boolean;
  /** Whether the key ends a word of an input method. */
  readonly isComposing: boolean;
  readonly tag: string;
  readonly type: string;
}

const oneLine = new Set([
  'text',
  'search',
  'number',
  'email',
  'url',
  'password',
  'date',
  'time',
  'datetime-local',
]);

/** Enter in a field of one line presses the primary button; where Enter has its own meaning, Ctrl or ⌘ is held. */
export function answersEnter({ key, isHeld, isComposing, tag, type }: PressedIn): boolean {
  if (key !== 'Enter' || isComposing) return false;
  if (tag === 'TEXTAREA') return isHeld;
  return tag === 'INPUT' && oneLine.has(type);
}

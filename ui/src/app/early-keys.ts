/**
 * Keys that a person presses on the painted frame, before the page's script is there. The first script of the page notes them,
 * and the page presses them again when it can answer.
 */
const name = 'carillonKeys';
/** More keys than this are dropped: a key that is held down must not fill the memory. */
const mostKept = 64;

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

interface Noted {
  readonly keys: PressedKey[];
  readonly stop: () => void;
}

/** The two scripts share nothing but the window. */
const shared = globalThis as { [name]?: Noted };

/** `find` is the painted field that opens the palette; a click on it counts as its key. */
export function noteKeys(find: Element | null): void {
  const keys: PressedKey[] = [];
  const note = ({ key, ctrlKey, metaKey, shiftKey }: PressedKey) => {
    if (keys.length < mostKept) keys.push({ key, ctrlKey, metaKey, shiftKey });
  };
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (altKey || target !== document.body) return;
    const isPalette = (ctrlKey || metaKey) && key.toLowerCase() === 'k';
    if (!isPalette && (ctrlKey || metaKey)) return;
    // Otherwise the browser would open its own search.
    if (isPalette || key === '/') event.preventDefault();
    if (key.length === 1 || key === 'Enter' || key === 'Escape' || key === 'Backspace') note(event);
  };
  const onClick = () => note({ key: 'k', ctrlKey: true, metaKey: false, shiftKey: false });
  document.addEventListener('keydown', onKey);
  find?.addEventListener('click', onClick);
  const stop = () => {
    document.removeEventListener('keydown', onKey);
    find?.removeEventListener('click', onClick);
  };
  shared[name] = { keys, stop };
}

/** Returns the keys so far and ends the recording: from here on the page handles keys itself. */
export function takeEarlyKeys(): readonly PressedKey[] {
  const noted = shared[name];
  delete shared[name];
  noted?.stop();
  return noted?.keys ?? [];
}

/** Presses keys that were noted before the page could answer, as if they came now. */
import { flushSync } from 'react-dom';
import type { PressedKey } from './early-keys.ts';
import { isTyping } from './keys.ts';

export function pressAgain(keys: readonly PressedKey[]): void {
  for (const pressed of keys) {
    // A key before it may have opened a field, which takes letters only from a real keyboard.
    if (isTyping(document.activeElement)) {
      if (pressed.key.length === 1) document.execCommand('insertText', false, pressed.key);
      continue;
    }
    const event = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true });
    // The next key must meet what this one opened.
    flushSync(() => document.body.dispatchEvent(event));
  }
}

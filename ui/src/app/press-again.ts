/** Presses keys that were noted before the page could answer, as if they came now. */
import { flushSync } from 'react-dom';
import type { PressedKey } from './early-keys.ts';
import { isTyping } from './keys.ts';

export function pressAgain(keys: readonly PressedKey[]): void {
  for (const pressed of keys) {
    // An earlier key may have focused a field, where a simulated key types nothing.
    if (isTyping(document.activeElement)) {
      if (pressed.key.length === 1) document.execCommand('insertText', false, pressed.key);
      continue;
    }
    const event = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true });
    // The change is drawn before the next key, which acts on what the screen then shows.
    flushSync(() => document.body.dispatchEvent(event));
  }
}

/** A modal dialog: focus stays inside, Escape and the scrim close it, and focus returns where it came from. */
import '../style/later.css';
import type { KeyboardEvent as Press, ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { answersEnter } from './answers-enter.ts';
import { Icon } from './Icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly sub?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

export function Dialog({ title, sub, onClose, children, foot }: DialogProps) {
  const titleId = useId();
  const ref = useFocusInside<HTMLDivElement>(onClose);
  return (
    <Scrim onClose={onClose}>
      <div
        ref={ref}
        className="dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={pressPrimary}
      >
        <div className="dhead">
          <div className="min-w-0 flex-1">
            <h2 id={titleId}>{title}</h2>
            {sub !== undefined && <div className="t2">{sub}</div>}
          </div>
          <button type="button" className="btn quiet icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div className="dbody" tabIndex={0} role="group" aria-label={title}>
          {children}
        </div>
        {foot !== undefined && <div className="dfoot">{foot}</div>}
      </div>
    </Scrim>
  );
}

/** A dangerous button is not a primary one, so no dangerous thing is done by Enter. */
function pressPrimary(event: Press<HTMLDivElement>): void {
  const { target, key, ctrlKey, metaKey, nativeEvent } = event;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  const { tagName: tag, type, form } = target;
  const isHeld = ctrlKey || metaKey;
  // A form handles Enter by itself.
  if (event.defaultPrevented || form !== null) return;
  if (!answersEnter({ key, isHeld, isComposing: nativeEvent.isComposing, tag, type })) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLButtonElement>('.dfoot .btn.primary')?.click();
}

export function Scrim({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard closes with Escape
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes with Escape
    <div
      className="scrim"
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {children}
    </div>
  );
}

const reachable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Moves focus inside when shown, keeps it there, and gives it back. */
export function useFocusInside<E extends HTMLElement>(onClose: () => void) {
  const ref = useRef<E>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const before = document.activeElement;
    const first = element.querySelector<HTMLElement>('[data-first]') ?? element;
    first.focus();
    // A disabled element cannot take the focus, so the dialog itself does.
    if (!element.contains(document.activeElement)) element.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        close.current();
      }
      if (event.key !== 'Tab') return;
      const stops = [...element.querySelectorAll<HTMLElement>(reachable)].filter(
        (each) => each.offsetParent !== null,
      );
      const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      if (document.activeElement !== from && document.activeElement !== element) return;
      if (document.activeElement === element && !event.shiftKey) return;
      event.preventDefault();
      to?.focus();
    };
    // A button that is disabled while it works loses the focus to the page, and the dialog must hear its keys all the same.
    const onLost = (event: KeyboardEvent) => {
      const top = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
      if (document.activeElement === document.body && top === element) onKey(event);
    };
    element.addEventListener('keydown', onKey);
    document.addEventListener('keydown', onLost);
    return () => {
      element.removeEventListener('keydown', onKey);
      document.removeEventListener('keydown', onLost);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return ref;
}

/** A button that opens a short list of further actions. */
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** What the button shows; three dots unless given. */
  readonly face?: ReactNode;
}

const items = '[role^="menuitem"]';

export function Menu({ label, children, className = 'btn icon', face }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>(items)?.focus();
    const onDown = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onDown);
    return () => document.removeEventListener('pointerdown', onDown);
  }, [isOpen]);
  const onKey = (event: React.KeyboardEvent) => {
    if (!isOpen) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>(items) ?? [])];
    const place = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      setOpen(false);
      button.current?.focus();
    } else if (event.key === 'ArrowDown') all[(place + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all[(place + all.length - 1) % all.length]?.focus();
    else if (event.key === 'Home') all[0]?.focus();
    else if (event.key === 'End') all.at(-1)?.focus();
    else if (event.key === 'Tab') return setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu inside
    <div ref={root} className="relative" onKeyDown={onKey}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!isOpen);
        }}
      >
        {face ?? <Icon name="more" />}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: buttons inside answer the keyboard
        <div
          className="menu"
          role="menu"
          aria-label={label}
          onClick={() => {
            setOpen(false);
            // A dialog that opens now returns the focus to the button, because the item is gone then.
            button.current?.focus();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  readonly onPick: () => void;
  readonly children: ReactNode;
  readonly isDangerous?: boolean;
  /** Whether this item of a choice is the chosen one. */
  readonly isChosen?: boolean;
}

export function MenuItem({ onPick, children, isDangerous = false, isChosen }: ItemProps) {
  return (
    <button
      type="button"
      {...(isChosen === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemradio', 'aria-checked': isChosen })}
      className={isDangerous ? 'text-fail-t' : ''}
      onClick={onPick}
    >
      {children}
      {isChosen === true && <Icon name="done" className="ml-auto" />}
    </button>
  );
}

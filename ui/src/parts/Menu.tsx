/** A button that opens a short list of further actions. */
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Menu({ label, children, className = 'btn icon' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const onDown = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onDown);
    return () => document.removeEventListener('pointerdown', onDown);
  }, [isOpen]);
  const onKey = (event: React.KeyboardEvent) => {
    if (!isOpen) return;
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const place = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      setOpen(false);
      button.current?.focus();
    } else if (event.key === 'ArrowDown') items[(place + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(place + items.length - 1) % items.length]?.focus();
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
        <Icon name="more" />
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: buttons inside answer the keyboard
        <div className="menu" role="menu" aria-label={label} onClick={() => setOpen(false)}>
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
}

export function MenuItem({ onPick, children, isDangerous = false }: ItemProps) {
  return (
    <button type="button" role="menuitem" className={isDangerous ? 'text-fail-t' : ''} onClick={onPick}>
      {children}
    </button>
  );
}

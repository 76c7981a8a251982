import { useState } from 'react';
import { Icon } from './Icon.tsx';

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await copyText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1600);
  };
  return (
    <button type="button" className="btn quiet icon" aria-label={isDone ? 'Copied' : label} onClick={copy}>
      <Icon name={isDone ? 'done' : 'copy'} />
    </button>
  );
}

/** A page on plain HTTP from another machine has no clipboard of its own. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** The same from a shell. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="cli">
      <code>{text}</code>
      <CopyButton text={text} label="Copy command" />
    </div>
  );
}

import { useContext, useState } from 'react';
import { ScopeContext } from '../data/api.ts';
import { Icon } from './Icon.tsx';
import { quoted } from './quoted.ts';

/** Copies a text and confirms it for a moment. */
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

/** Copies a text, also on plain HTTP from another machine, where browsers offer no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** The command that does the same, with the namespace of the page. */
export function Command({ text }: { readonly text: string }) {
  const namespace = useContext(ScopeContext)?.namespace ?? defaultNamespace;
  const isElsewhere = namespace !== defaultNamespace && !isAlone.test(text);
  const whole = isElsewhere ? `${text} --namespace ${quoted(namespace)}` : text;
  return (
    <div className="cli">
      <code>{whole.slice(0, mostShown)}</code>
      <CopyButton text={whole} label="Copy command" />
    </div>
  );
}

const defaultNamespace = 'default';

/** One line is shown; a command may have an input of a megabyte, and all of it is copied. */
const mostShown = 2000;

/** Commands that ask no server, and those that say which namespace they mean. */
const isAlone = /^carillon next\b|--namespace/;

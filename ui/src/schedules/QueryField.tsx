/** The text of the query. What is typed is asked for a moment after the last key. */
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { readFilter, tokenNames } from './filter.ts';

/** Short: a server with 10,000 schedules answers within a few ms, and an older question is given up. */
const restMs = 20;

interface QueryFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const completions = [
  ...tokenNames.filter((name) => name !== 'state' && name !== 'is').map((name) => `${name}:`),
  'state:paused',
  'state:ended',
  'state:quarantined',
  'is:failing',
  'is:overdue',
  'is:noworker',
  'is:skipping',
  'is:attention',
  'is:running',
];

export function QueryField({ value, onChange }: QueryFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next.trim();
      onChange(next.trim());
    }, restMs);
  };
  const last = text.split(/\s+/).at(-1) ?? '';
  const offered = last.length < 2 ? [] : completions.filter((each) => each.startsWith(last) && each !== last);
  const { unknown } = readFilter(text);
  return (
    <div className="query">
      <Icon name="search" className="text-text-3" />
      <input
        data-query
        type="search"
        aria-label="Find schedules"
        placeholder="Find by name, tag, handler… or tag: owner: state:"
        value={text}
        list="query-tokens"
        spellCheck={false}
        autoComplete="off"
        aria-describedby={unknown.length === 0 ? undefined : 'query-unknown'}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (text === '') event.currentTarget.blur();
          else type('');
          event.stopPropagation();
        }}
      />
      <datalist id="query-tokens">
        {offered.map((each) => (
          <option key={each} value={`${text.slice(0, text.length - last.length)}${each}`} />
        ))}
      </datalist>
      {unknown.length > 0 && (
        <span id="query-unknown" className="text-second whitespace-nowrap text-policy-t">
          {unknown.join(' ')} means nothing
        </span>
      )}
      <kbd className="wide-only">/</kbd>
    </div>
  );
}

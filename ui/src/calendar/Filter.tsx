/** Chooses a part of the schedules, in the words of the list: `tag:billing handler:sync owner:team`. */
import type { PartFilters } from 'carillon/client';
import { readScheduleQuery } from 'carillon/client';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';

/** The tokens that apply here; the other tokens of the list are about states, which a plan does not have. */
const partNames = ['tag', 'owner', 'queue', 'name', 'text', 'prefix'] as const;

export interface ReadPart {
  readonly part: PartFilters;
  /** Tokens by which the calendar cannot choose. */
  readonly unknown: readonly string[];
}

export function readPart(text: string): ReadPart {
  const { filters, unknown } = readScheduleQuery(text);
  const part = Object.fromEntries(
    partNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  ) as PartFilters;
  const others = text.split(/\s+/).filter((word) => /^(state|is):./.test(word) && !unknown.includes(word));
  return { part, unknown: [...unknown, ...others] };
}

/** How long the field waits after a key before it asks: each question counts the starts of all schedules. */
const restMs = 250;

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Filter({ value, onChange }: FilterProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    setText((before) => (before.trim() === value ? before : value));
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim()), restMs);
  };
  const { unknown } = readPart(text);
  return (
    <div className="query w-64 max-w-full flex-none!">
      <Icon name="search" className="text-text-3" />
      <input
        data-query=""
        type="search"
        aria-label="Which schedules"
        placeholder="All schedules, or tag: owner: handler:"
        value={text}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={unknown.length === 0 ? undefined : 'part-unknown'}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          type('');
          event.stopPropagation();
        }}
      />
      {unknown.length > 0 && (
        <span id="part-unknown" className="text-second whitespace-nowrap text-policy-t">
          {unknown.join(' ')} means nothing here
        </span>
      )}
    </div>
  );
}

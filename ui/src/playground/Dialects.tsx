/** The meaning of a text in each dialect, and the same times written in that dialect. */
import { useMemo } from 'react';
import { CopyButton } from '../parts/Copy.tsx';
import { Table } from '../parts/Table.tsx';
import { clockText, dayText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Reading } from './dialects.ts';
import { isSame, languages, readingOf, readingsOf, saidIn } from './dialects.ts';
import { splitZone } from './plain-fields.ts';

const dialectWords: Readonly<Record<string, string>> = {
  unix: 'Unix cron',
  temporal: 'Temporal cron',
  spring: 'Spring, Conductor',
  rrule: 'RRULE, RFC 5545',
};

interface DialectsProps {
  readonly text: string;
  readonly dialect: 'unix' | 'temporal' | 'spring' | 'rrule';
  readonly zone: string;
  /** The zone in which the times are shown: that of the text, if it names one. */
  readonly shown: string;
  readonly now: number;
  /** Chooses a dialect that can read the text, when the chosen one cannot. */
  readonly onChoose: (dialect: string) => void;
}

export function Dialects({ text, dialect, zone, shown, now, onChoose }: DialectsProps) {
  const isRule = dialect === 'rrule';
  const isNamed = shown !== zone;
  const readings = useMemo(
    () => [...(isRule ? [] : readingsOf(text, zone, now)), readingOf(text, 'rrule', zone, now)],
    [isRule, text, zone, now],
  );
  const own = readings.find((reading) => reading.dialect === dialect);
  const rows = useMemo(
    () =>
      languages.map((language) => ({
        language,
        said: language === dialect ? text : saidIn(text, dialect, language, zone, now),
      })),
    [text, dialect, zone, now],
  );
  return (
    <section className="card" aria-labelledby="others">
      <header>
        <h2 id="others">In each dialect</h2>
      </header>
      <Table
        name="The same text in each dialect"
        className="dialects"
        head={['Dialect', 'This text there', 'First time, or why not', 'The same times there']}
      >
        {rows.map(({ language, said }) => {
          const reading = readings.find((each) => each.dialect === language);
          return (
            <tr key={language}>
              <td className="whitespace-nowrap">{dialectWords[language]}</td>
              <td>
                <Meaning
                  reading={reading}
                  own={own}
                  isChosen={language === dialect}
                  onChoose={() => onChoose(language)}
                />
              </td>
              <td className="t2">
                {reading?.ok === true
                  ? firstText(reading.times, shown)
                  : (reading?.problem.replace(/^\w+ cron: /, '') ?? 'a rule is not a cron text')}
              </td>
              <td>
                {own?.ok !== true ? (
                  <span className="t3">no times yet</span>
                ) : language === dialect ? (
                  <span className="t3">as written</span>
                ) : (
                  <Said
                    text={said}
                    zone={isNamed && language !== dialect && !hasZone(said) ? shown : undefined}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}

function firstText([first]: readonly number[], zone: string): string {
  return first === undefined ? 'no time is left' : `${dayText(zone, first)} ${clockText(zone, first)}`;
}

interface MeaningProps {
  readonly reading: Reading | undefined;
  readonly own: Reading | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** The meaning of the text in a dialect, compared with the chosen one. */
function Meaning({ reading, own, isChosen, onChoose }: MeaningProps) {
  if (isChosen && reading?.ok === true) return <span className="t2">chosen</span>;
  if (reading?.ok !== true)
    return (
      <span className="word f-fail" title={reading?.problem}>
        <Mark look="startFailed" /> cannot be read
      </span>
    );
  if (own?.ok !== true)
    return (
      <button type="button" className="btn small" onClick={onChoose}>
        Read it so
      </button>
    );
  return isSame(reading, own) ? (
    <span className="word f-ran">
      <Mark look="started" /> the same
    </span>
  ) : (
    <span className="word f-policy">
      <Mark look="skippedOverlap" /> other times
    </span>
  );
}

const hasZone = (text: string | undefined) => text !== undefined && splitZone(text).zone !== undefined;

interface SaidProps {
  readonly text: string | undefined;
  /** The zone, when the text itself does not contain it. */
  readonly zone: string | undefined;
}

function Said({ text, zone }: SaidProps) {
  if (text === undefined) return <span className="t3">cannot be said in one line</span>;
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 break-words">
        <code>{text}</code>
        {zone !== undefined && <span className="t3"> with the zone {zone}</span>}
      </span>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}

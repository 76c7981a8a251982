/** The parts of a text with their names. Pure. */

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

const five = ['minute', 'hour', 'day', 'month', 'weekday'];
const partNames: Readonly<Record<string, string>> = {
  FREQ: 'each',
  INTERVAL: 'every nth',
  COUNT: 'times in all',
  UNTIL: 'until',
  BYSECOND: 'second',
  BYMINUTE: 'minute',
  BYHOUR: 'hour',
  BYDAY: 'weekday',
  BYMONTHDAY: 'day',
  BYYEARDAY: 'day of the year',
  BYWEEKNO: 'week',
  BYMONTH: 'month',
  BYSETPOS: 'nth of these',
  WKST: 'week begins',
  DTSTART: 'from',
};

/** The parts of a text; none for macros and texts of another form. */
export function anatomyOf(text: string, dialect: string): readonly TextPart[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => !/^(CRON_)?TZ=/.test(word));
  if (dialect === 'rrule') {
    return words
      .flatMap((line) => line.replace(/^RRULE:/i, '').split(';'))
      .flatMap((part) => {
        const [, name = '', value = ''] = /^(\w+)[=:](.+)$/.exec(part) ?? [];
        return name === '' ? [] : [{ name: partNames[name.toUpperCase()] ?? name, text: value }];
      });
  }
  const names = {
    5: five,
    6: dialect === 'temporal' ? [...five, 'year'] : ['second', ...five],
    7: ['second', ...five, 'year'],
  }[words.length];
  if (names === undefined || words[0]?.startsWith('@') === true) return [];
  return words.map((word, place) => ({ name: names[place] ?? '', text: word }));
}

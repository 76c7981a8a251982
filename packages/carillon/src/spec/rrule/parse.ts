/**
 * Reads RFC 5545 recurrence text: DTSTART, RRULE, RDATE and EXDATE properties, one per line or separated by blanks,
 * or a bare rule (`FREQ=DAILY;BYHOUR=9`). Every problem names its part and says what to write instead.
 */
import type { Problem } from '../../base/error.ts';
import { daySeconds } from '../calendar-day.ts';
import { parseMoment } from './moment.ts';
import { parseRule } from './parse-rule.ts';
import type { Moment, Recurrence, Rule } from './recurrence.ts';

export type ParsedRecurrence =
  | { readonly ok: true; readonly rule: Recurrence }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A pasted calendar may be long; a rule is not. */
const longestText = 20_000;

const dateFix = 'write 20261225, 20261225T090000 or 20261225T090000Z';

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

export function parseRecurrence(text: string): ParsedRecurrence {
  const problems: Problem[] = [];
  if (text.length > longestText) {
    const message = `the text has ${text.length} characters, more than ${longestText}`;
    return { ok: false, problems: [{ path: '', reason: 'TOO_LONG', message, fix: 'split the schedule' }] };
  }
  const properties = splitProperties(text).map((line) => readProperty(line));
  const ruleTotal = properties.filter((property) => property.name === 'RRULE').length;
  const rules: Rule[] = [];
  const zones = new Set<string>();
  const dates: Moment[] = [];
  const exceptDates: Moment[] = [];
  let start: number | undefined;
  let ruleIndex = 0;
  for (const property of properties) {
    const zone = checkParameters(property, problems);
    if (zone !== undefined) zones.add(zone);
    switch (property.name) {
      case 'RRULE': {
        const path = ruleTotal > 1 ? `RRULE[${ruleIndex}]` : 'RRULE';
        ruleIndex += 1;
        const rule = parseRule(property.value, path, problems);
        if (rule !== undefined) rules.push(rule);
        break;
      }
      case 'DTSTART': {
        if (start !== undefined) {
          const fix = 'keep one DTSTART; use RDATE for further single times';
          problems.push({ path: 'DTSTART', reason: 'REPEATED', message: 'DTSTART is given twice', fix });
        }
        const [moment] = readMoments(property, zone, problems);
        if (moment?.kind === 'utc') zones.add('UTC');
        if (moment !== undefined) start = moment.kind === 'date' ? moment.day * daySeconds : moment.second;
        break;
      }
      case 'RDATE':
        dates.push(...readMoments(property, zone, problems));
        break;
      case 'EXDATE':
        exceptDates.push(...readMoments(property, zone, problems));
        break;
      default:
        problems.push(unknownProperty(property.name));
    }
  }
  if (zones.size > 1) {
    const message = `the zones ${[...zones].join(' and ')} disagree`;
    problems.push({
      path: 'TZID',
      reason: 'CONFLICT',
      message,
      fix: 'use one zone, or write RDATE and EXDATE in UTC with a final Z',
    });
  }
  if (problems.length === 0 && rules.length === 0 && start === undefined && dates.length === 0) {
    problems.push({
      path: 'RRULE',
      reason: 'MISSING',
      message: 'there is no rule',
      fix: 'write RRULE:FREQ=DAILY',
    });
  }
  if (problems.length > 0) return { ok: false, problems };
  const [zone] = zones;
  return {
    ok: true,
    rule: {
      ...(start === undefined ? {} : { start }),
      ...(zone === undefined ? {} : { zone }),
      rules,
      dates: sortMoments(dates),
      exceptDates: sortMoments(exceptDates),
    },
  };
}

/** Undoes RFC line folding, then cuts at line ends and before each property name. */
function splitProperties(text: string): readonly string[] {
  return text
    .replace(/\r?\n[ \t]/g, '')
    .split(/[\r\n]+|\s+(?=(?:DTSTART|RRULE|RDATE|EXDATE|EXRULE)[;:])/i)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readProperty(line: string): Property {
  const cut = line.indexOf(':');
  if (cut < 0) {
    // A bare rule begins with one of its parts; anything else is kept whole, to be named in the problem.
    const bare = /^[A-Za-z]+\s*=/.test(line) || /^FREQ/i.test(line);
    return { name: bare ? 'RRULE' : line.toUpperCase(), parameters: new Map(), value: bare ? line : '' };
  }
  const [name, ...rest] = line.slice(0, cut).split(';');
  const parameters = new Map<string, string>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const key = (equals < 0 ? piece : piece.slice(0, equals)).trim().toUpperCase();
    parameters.set(
      key,
      equals < 0
        ? ''
        : piece
            .slice(equals + 1)
            .trim()
            .replace(/^"(.*)"$/, '$1'),
    );
  }
  return { name: (name ?? '').trim().toUpperCase(), parameters, value: line.slice(cut + 1).trim() };
}

/** Returns the zone the property names. */
function checkParameters(property: Property, problems: Problem[]): string | undefined {
  for (const [key, value] of property.parameters) {
    const path = `${property.name}.${key}`;
    if (key === 'VALUE') {
      if (/^(DATE|DATE-TIME)$/i.test(value)) continue;
      const message = `VALUE=${value} is not supported`;
      problems.push({ path, reason: 'UNSUPPORTED', message, fix: 'list start times as DATE or DATE-TIME' });
    } else if (key !== 'TZID' || property.name === 'RRULE' || value === '') {
      const message =
        key === 'TZID' ? 'TZID is not allowed here, or has no value' : `parameter ${key} is unknown`;
      problems.push({
        path,
        reason: 'UNKNOWN_PARAMETER',
        message,
        fix: 'name the zone as DTSTART;TZID=Europe/Berlin:…',
      });
    }
  }
  return property.parameters.get('TZID') || undefined;
}

function readMoments(property: Property, zone: string | undefined, problems: Problem[]): readonly Moment[] {
  const path = property.name;
  const texts = property.name === 'DTSTART' ? [property.value] : property.value.split(',');
  return texts.flatMap((text): readonly Moment[] => {
    const moment = parseMoment(text.trim());
    if (typeof moment === 'string') {
      problems.push({ path, reason: 'BAD_DATE', message: `${path}: ${moment}`, fix: dateFix });
      return [];
    }
    if (moment.kind === 'utc' && zone !== undefined && !(path === 'DTSTART' && zone === 'UTC')) {
      const message = `${path} has both a zone and a final Z, which means UTC`;
      problems.push({ path, reason: 'CONFLICT', message, fix: 'drop TZID or the Z' });
    }
    return [moment];
  });
}

function unknownProperty(name: string): Problem {
  const short = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  if (name === 'EXRULE') {
    const message = 'EXRULE was removed from the standard by RFC 5545';
    return { path: 'EXRULE', reason: 'UNSUPPORTED', message, fix: 'use EXDATE, or exclusions of the spec' };
  }
  const fix = 'use DTSTART, RRULE, RDATE and EXDATE';
  return { path: short, reason: 'UNKNOWN_PROPERTY', message: `"${short}" is not a recurrence property`, fix };
}

function sortMoments(moments: readonly Moment[]): readonly Moment[] {
  const order = (moment: Moment) => (moment.kind === 'date' ? moment.day * daySeconds : moment.second);
  const unique = new Map(moments.map((moment) => [`${moment.kind}${order(moment)}`, moment]));
  return [...unique.values()].sort((a, b) => order(a) - order(b) || (a.kind < b.kind ? -1 : 1));
}

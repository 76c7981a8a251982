/** Combinations of parts that RFC 5545 forbids because their meaning would be ambiguous. */
import type { Rule } from './recurrence.ts';

interface Conflict {
  readonly part: string;
  readonly message: string;
  readonly fix: string;
}

export function ruleConflicts(rule: Rule): readonly Conflict[] {
  const { frequency } = rule;
  const found: Conflict[] = [];
  const refuse = (part: string, message: string, fix: string) => found.push({ part, message, fix });
  if (rule.count !== undefined && rule.until !== undefined) {
    refuse('COUNT', 'COUNT and UNTIL cannot both be given', 'keep the one that ends the rule where you want');
  }
  if (rule.byWeekNumber.length > 0 && frequency !== 'YEARLY') {
    refuse('BYWEEKNO', `BYWEEKNO does not go with FREQ=${frequency}`, 'use FREQ=YEARLY');
  }
  if (rule.byYearDay.length > 0 && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency)) {
    refuse('BYYEARDAY', `BYYEARDAY does not go with FREQ=${frequency}`, 'use FREQ=YEARLY');
  }
  if (rule.byMonthDay.length > 0 && frequency === 'WEEKLY') {
    refuse(
      'BYMONTHDAY',
      'BYMONTHDAY does not go with FREQ=WEEKLY',
      'use FREQ=MONTHLY, or FREQ=DAILY with BYDAY',
    );
  }
  if (rule.byDay.some((choice) => choice.nth !== 0)) {
    if (frequency !== 'MONTHLY' && frequency !== 'YEARLY') {
      refuse(
        'BYDAY',
        `a numbered weekday does not go with FREQ=${frequency}`,
        'use FREQ=MONTHLY or drop the number',
      );
    } else if (rule.byWeekNumber.length > 0) {
      refuse('BYDAY', 'a numbered weekday does not go with BYWEEKNO', 'drop the number or BYWEEKNO');
    }
    const largest = frequency === 'MONTHLY' || rule.byMonth.length > 0 ? 5 : 53;
    if (rule.byDay.some((choice) => Math.abs(choice.nth) > largest)) {
      refuse(
        'BYDAY',
        `no month has more than ${largest} of one weekday`,
        `use a number from 1 to ${largest}`,
      );
    }
  }
  if (rule.bySetPosition.length > 0 && !hasOtherPart(rule)) {
    refuse(
      'BYSETPOS',
      'BYSETPOS chooses among the times of another BY part',
      'add BYDAY, BYMONTHDAY or another',
    );
  }
  return found;
}

function hasOtherPart(rule: Rule): boolean {
  const lists = [
    rule.bySecond,
    rule.byMinute,
    rule.byHour,
    rule.byDay,
    rule.byMonthDay,
    rule.byYearDay,
    rule.byWeekNumber,
    rule.byMonth,
  ];
  return lists.some((list) => list.length > 0);
}

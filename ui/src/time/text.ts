/** Times and lengths as people read them: at most two units, relative first. */
import { dayMs, hourMs, minuteMs, secondMs, viewerZone, wallTime, zoneLetters } from './zone.ts';

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
export const months = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;

const two = (value: number) => String(value).padStart(2, '0');

/** `11 min`, `0.2 s`, `1 h 23 min`, `16 days`; rounded to what is shown, so that no text says `1 h 60 min`. */
export function lengthText(ms: number): string {
  const size = Math.abs(ms);
  if (Math.round(size) < secondMs) return `${Math.round(size)} ms`;
  if (size < 9.95 * secondMs) return `${Number((size / secondMs).toFixed(1))} s`;
  if (size < minuteMs - secondMs / 2) return `${Math.round(size / secondMs)} s`;
  if (size < 10 * minuteMs - secondMs / 2) return pair(size, minuteMs, 'min', secondMs, 's');
  if (size < hourMs - minuteMs / 2) return `${Math.round(size / minuteMs)} min`;
  if (size < 2 * dayMs - minuteMs / 2) return pair(size, hourMs, 'h', minuteMs, 'min');
  const days = Math.round(size / dayMs);
  return days < 60 ? `${days} days` : `${Math.round(days / 30.4)} months`;
}

function pair(size: number, large: number, name: string, small: number, smallName: string): string {
  const rounded = Math.round(size / small) * small;
  const rest = (rounded % large) / small;
  const whole = `${Math.floor(rounded / large)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

export function sinceText(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < 1500) return 'now';
  return distance > 0 ? `in ${lengthText(distance)}` : `${lengthText(distance)} ago`;
}

/** `03:30`, with seconds when they are not zero. */
export function clockText(zone: string, at: number): string {
  const { hour, minute, second } = wallTime(zone, at);
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

export function clockSecondsText(zone: string, at: number): string {
  const { hour, minute, second } = wallTime(zone, at);
  return `${two(hour)}:${two(minute)}:${two(second)}`;
}

/** `03:30:00.031` */
export function clockMsText(zone: string, at: number): string {
  return `${clockSecondsText(zone, at)}.${String(Math.floor(at) % 1000).padStart(3, '0')}`;
}

/** `Sun 1 Nov` */
export function dayText(zone: string, at: number): string {
  const { weekday, day, month } = wallTime(zone, at);
  return `${weekdays[weekday]} ${day} ${months[month]}`;
}

export function isSameDay(zone: string, at: number, other: number): boolean {
  const [a, b] = [wallTime(zone, at), wallTime(zone, other)];
  return a.day === b.day && a.month === b.month && a.year === b.year;
}

/** The clock time, with its day when that is not the day of `near`. */
export function momentText(zone: string, at: number, near: number): string {
  return isSameDay(zone, at, near) ? clockText(zone, at) : dayClockText(zone, at, near);
}

/** `Sun 1 Nov 03:30`, with the year when it is not that of `near`. */
export function dayClockText(zone: string, at: number, near: number): string {
  const { year } = wallTime(zone, at);
  const isSameYear = year === wallTime(zone, near).year;
  return `${dayText(zone, at)}${isSameYear ? '' : ` ${year}`} ${clockText(zone, at)}`;
}

/** The viewer's clock beside a time of another zone, with the day when that is another one for the viewer. */
export function viewerText(zone: string, at: number): string {
  const clock = clockText(viewerZone, at);
  const day = dayText(viewerZone, at);
  return day === dayText(zone, at) ? clock : `${day} ${clock}`;
}

/** `Sun 13:15 EST` within a week of now, otherwise `Sun 1 Nov 13:15 EST`, with the year when it is another. */
export function whenText(zone: string, at: number, now: number): string {
  const { year, weekday } = wallTime(zone, at);
  const clock = `${clockText(zone, at)} ${zoneLetters(zone, at)}`;
  if (Math.abs(at - now) < 6 * dayMs) return `${weekdays[weekday]} ${clock}`;
  const isThisYear = year === wallTime(zone, now).year;
  return `${dayText(zone, at)}${isThisYear ? '' : ` ${year}`} ${clock}`;
}

/** `Sun 1 Nov 2026, 03:30:00 EST` */
export function fullText(zone: string, at: number): string {
  return `${dayText(zone, at)} ${wallTime(zone, at).year}, ${clockSecondsText(zone, at)} ${zoneLetters(zone, at)}`;
}

/** `1,204` */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `12k` for axes. */
export function roughText(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const thousands = count / 1000;
  return `${Number(thousands.toFixed(thousands < 10 ? 1 : 0))}k`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

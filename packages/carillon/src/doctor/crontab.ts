/**
 * Reads a crontab as cron does: variables, entries, comments; with a column for the user in the files of the system.
 * A feature of cron that Carillon does not have is reported with its line.
 */
import { parseCron } from '../spec/index.ts';

export interface CrontabEntry {
  readonly line: number;
  /** The cron text: five fields, or a macro. */
  readonly schedule: string;
  /** The command for the shell, with percent signs unescaped. */
  readonly command: string;
  /** The standard input of the command: the text after the first percent sign; further percent signs are line breaks. */
  readonly stdin?: string;
  readonly user?: string;
  /** The text of the comment directly above the entry. */
  readonly description: string;
  /** Whether the entry is commented out. */
  readonly isDisabled: boolean;
  /** The value of `CRON_TZ`. */
  readonly zone?: string;
  /** The variables set above the entry, without those that configure cron itself. */
  readonly env: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly mailTo?: string;
}

export interface CrontabRemark {
  readonly line: number;
  readonly level: 'error' | 'warning' | 'info';
  readonly message: string;
}

export interface Crontab {
  readonly entries: readonly CrontabEntry[];
  readonly remarks: readonly CrontabRemark[];
}

export interface CrontabOptions {
  /** Whether the sixth word is a user, as in /etc/crontab and /etc/cron.d. */
  readonly isSystem: boolean;
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;

interface Surroundings {
  readonly env: Record<string, string>;
  shell?: string;
  mailTo?: string;
  zone?: string;
}

export function readCrontab(text: string, { isSystem }: CrontabOptions): Crontab {
  const entries: CrontabEntry[] = [];
  const remarks: CrontabRemark[] = [];
  const around: Surroundings = { env: {} };
  let comment: string[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1;
    const content = raw.trim();
    if (content === '') {
      comment = [];
      return;
    }
    if (content.startsWith('#')) {
      const inner = content.replace(/^#+\s*/, '');
      const disabled = readEntry(inner, line, isSystem);
      if (typeof disabled === 'string' || !isCron(disabled.schedule)) {
        comment.push(inner);
        return;
      }
      entries.push({ ...disabled, ...surrounding(around), description: comment.join(' '), isDisabled: true });
      comment = [];
      return;
    }
    const found = assignment.exec(content);
    if (found !== null) {
      const [, name = '', value = ''] = found;
      assign(around, name, unquoted(value), { line, remarks });
      comment = [];
      return;
    }
    const entry = readEntry(content, line, isSystem);
    const description = comment.join(' ');
    comment = [];
    if (typeof entry === 'string') remarks.push({ line, level: 'error', message: entry });
    else if (/^@reboot$/i.test(entry.schedule)) {
      const message = `@reboot has no time: start '${entry.command}' from the machine's init system, or trigger a schedule there`;
      remarks.push({ line, level: 'warning', message });
    } else if (!isCron(entry.schedule)) {
      remarks.push({ line, level: 'error', message: whyNot(entry.schedule) });
    } else entries.push({ ...entry, ...surrounding(around), description, isDisabled: false });
  });
  return { entries, remarks: [...remarks, ...userRemarks(entries)] };
}

type Bare = Pick<CrontabEntry, 'line' | 'schedule' | 'command' | 'stdin' | 'user'>;

/** Returns a text that says what is wrong when the entry cannot be read. */
function readEntry(content: string, line: number, isSystem: boolean): Bare | string {
  const count = content.startsWith('@') ? 1 : 5;
  const pattern = new RegExp(`^((?:\\S+\\s+){${count - 1}}\\S+)\\s+(.+)$`);
  const match = pattern.exec(content);
  if (match === null) return 'neither a variable nor five fields with a command';
  const [, schedule = '', rest = ''] = match;
  const words = schedule.split(/\s+/).join(' ');
  if (!isSystem) return { line, schedule: words, ...commandOf(rest) };
  const user = /^(\S+)\s+(.+)$/.exec(rest);
  if (user === null) return 'there is no command after the user; is this the crontab of a user?';
  return { line, schedule: words, user: user[1] as string, ...commandOf(user[2] as string) };
}

/** The first percent sign that is not escaped ends the command; what follows is its standard input. */
function commandOf(text: string): { readonly command: string; readonly stdin?: string } {
  const [command = '', ...input] = text.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  return input.length === 0 ? { command } : { command: command.trimEnd(), stdin: `${input.join('\n')}\n` };
}

function isCron(schedule: string): boolean {
  if (/^@/.test(schedule)) return !/^@(reboot|every)/i.test(schedule) && parseCron(schedule, 'unix').ok;
  return schedule.split(' ').length === 5 && parseCron(schedule, 'unix').ok;
}

function whyNot(schedule: string): string {
  const parsed = parseCron(schedule, 'unix');
  if (parsed.ok) return `'${schedule}' is not a crontab time`;
  return parsed.problems
    .map(({ message, fix }) => (fix === undefined ? message : `${message} (${fix})`))
    .join('; ');
}

function assign(
  around: Surroundings,
  name: string,
  value: string,
  { line, remarks }: { readonly line: number; readonly remarks: CrontabRemark[] },
): void {
  switch (name) {
    case 'CRON_TZ':
      around.zone = value;
      break;
    case 'SHELL':
      around.shell = value;
      break;
    case 'MAILTO': {
      around.mailTo = value;
      const message =
        value === ''
          ? 'MAILTO is empty: output is kept with each run in any case'
          : `no mail is sent to ${value}: output is kept with each run, and failures can be watched`;
      remarks.push({ line, level: 'info', message });
      break;
    }
    default:
      around.env[name] = value;
  }
}

function surrounding({ env, shell, mailTo, zone }: Surroundings) {
  return {
    env: { ...env },
    ...(shell === undefined ? {} : { shell }),
    ...(mailTo === undefined || mailTo === '' ? {} : { mailTo }),
    ...(zone === undefined ? {} : { zone }),
  };
}

function unquoted(value: string): string {
  const found = /^(["'])(.*)\1$/.exec(value);
  return found === null ? value : (found[2] as string);
}

function userRemarks(entries: readonly CrontabEntry[]): readonly CrontabRemark[] {
  const first = new Map<string, number>();
  for (const { user, line } of entries) if (user !== undefined && !first.has(user)) first.set(user, line);
  return [...first].map(([user, line]) => ({
    line,
    level: 'warning',
    message: `commands run as the user of the server, not as ${user}`,
  }));
}

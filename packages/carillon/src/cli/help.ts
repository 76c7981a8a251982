/** Generates help texts from the commands. */
import type { Command } from './command.ts';
import { Option } from './command.ts';

/** The width in characters; a terminal may have more, but long lines are hard to read. */
const width = 100;

export const helpOption = new Option('-h, --help', 'show help');

interface Row {
  readonly term: string;
  readonly text: string;
  readonly group: string;
}

export function helpText(command: Command): string {
  const { summaryText, descriptionText } = command;
  const description = descriptionText === '' ? summaryText : descriptionText;
  const args = command.arguments
    .filter((argument) => argument.description !== '')
    .map(({ name, description: text, allowed, fallback }) => ({
      term: name,
      text: `${text}${extras(allowed, fallback)}`,
      group: 'Arguments:',
    }));
  const options = [...visibleOptions(command)].map((option) => ({
    term: option.flags,
    text: `${option.description}${extras(option.allowed, option.isNegation ? undefined : option.fallback)}`,
    group: option.group,
  }));
  const below = visibleCommands(command).map((each) => ({
    term: usageOf(each),
    text: each.summaryText,
    group: each.group,
  }));
  const help = { term: 'help [command]', text: 'show help for a command', group: 'Commands:' };
  const commands = below.length === 0 ? [] : [...below, help];
  const rows: readonly Row[] = [...args, ...options, ...commands];
  const column = Math.max(...rows.map(({ term }) => term.length)) + 2;
  const groups = [...new Set(rows.map(({ group }) => group))];
  const lists = groups.map((group) => {
    const lines = rows.filter((row) => row.group === group).map((row) => rowText(row, column));
    return `${group}\n${lines.join('')}\n`;
  });
  const words = usageWords(command, true).join(' ');
  const usage = `Usage: ${command.path} ${words}`;
  return `${usage}\n\n${wrapped(description, width).join('\n')}\n\n${lists.join('')}`.replace(
    /\n\n$/,
    `\n${command.afterHelp}${command.afterHelp === '' || command.afterHelp.endsWith('\n\n') ? '' : '\n'}`,
  );
}

/**
 * The options of a command, with the help option that every command has. It follows the options without their own
 * heading.
 */
export function visibleOptions(command: Command): readonly Option[] {
  const plain = command.options.filter(({ group }) => group === helpOption.group);
  return [...plain, helpOption, ...command.options.filter(({ group }) => group !== helpOption.group)];
}

/** The subcommands that help and completion show. */
export function visibleCommands(command: Command): readonly Command[] {
  return command.commands.filter(({ isHidden }) => !isHidden);
}

function usageOf(command: Command): string {
  const words = command.commands.length > 0 ? [] : usageWords(command, command.options.length > 0);
  return [command.name, ...words].join(' ');
}

function usageWords(command: Command, takesOptions: boolean): readonly string[] {
  if (command.commands.length > 0) return ['[options]', '[command]'];
  return [...(takesOptions ? ['[options]'] : []), ...command.arguments.map(({ usage }) => usage)];
}

function extras(allowed: readonly string[] | undefined, fallback: unknown): string {
  const told = [
    ...(allowed === undefined ? [] : [`choices: ${allowed.map((each) => JSON.stringify(each)).join(', ')}`]),
    ...(fallback === undefined ? [] : [`default: ${JSON.stringify(fallback)}`]),
  ];
  return told.length === 0 ? '' : ` (${told.join(', ')})`;
}

function rowText({ term, text }: Row, column: number): string {
  const [first = '', ...rest] = wrapped(text, width - column - 2);
  const indent = `\n${' '.repeat(column + 2)}`;
  return `  ${`${term.padEnd(column)}${[first, ...rest].join(indent)}`.trimEnd()}\n`;
}

function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

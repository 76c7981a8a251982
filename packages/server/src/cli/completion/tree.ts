/** The words of the command line as data, read off the commands themselves: a new option completes without a line here. */
import type { Argument, Command, Option } from 'commander';

/** What may stand in a place. `schedule` and `zone` are asked for when they are needed. */
export type Value =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'schedule' | 'zone' | 'file' | 'text' };

export interface OptionWords {
  /** `-z`, `--zone` */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent: it takes none. */
  readonly value?: Value;
}

export interface CommandWords {
  /** Words after the program's name: `['schedule', 'create']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** Of the first argument; those after it are taken to be alike. */
  readonly argument?: Value;
}

const files = new Set(['--file', '--output', '--db', '--config', '--log']);

/** The program first, then all commands below it. */
export function commandTree(command: Command, path: readonly string[] = []): readonly CommandWords[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help' || path.length === 0);
  const argument = argumentValue(command, path);
  const words: CommandWords = {
    path,
    summary: help.subcommandDescription(command),
    options: help.visibleOptions(command).map(optionWords),
    commands: below.map((each) => ({ name: each.name(), summary: help.subcommandDescription(each) })),
    ...(argument === undefined ? {} : { argument }),
  };
  return [words, ...below.flatMap((each) => commandTree(each, [...path, each.name()]))];
}

function optionWords(option: Option): OptionWords {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const takesValue = option.required || option.optional;
  return { flags, description: option.description, ...(takesValue ? { value: optionValue(option) } : {}) };
}

function optionValue({ argChoices, long }: Option): Value {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  if (long === '--zone') return { kind: 'zone' };
  if (long === '--schedule') return { kind: 'schedule' };
  return { kind: long !== undefined && files.has(long) ? 'file' : 'text' };
}

function argumentValue({ registeredArguments }: Command, path: readonly string[]): Value | undefined {
  const [first] = registeredArguments;
  if (first === undefined) return undefined;
  if (first.argChoices !== undefined) return { kind: 'words', words: first.argChoices };
  if (isSchedule(first, path)) return { kind: 'schedule' };
  return { kind: first.name() === 'file' || first.name() === 'target' ? 'file' : 'text' };
}

/** The name of a schedule that is to be made is nobody's to guess. */
function isSchedule(argument: Argument, path: readonly string[]): boolean {
  if (argument.name() === 'schedule') return true;
  return path[0] === 'schedule' && path[1] !== 'create' && argument.name() === 'id';
}

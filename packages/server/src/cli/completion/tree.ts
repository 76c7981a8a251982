/** The words of the command line as data, derived from the commands themselves, so that a new option needs no change here. */
import type { Argument, Command, Option } from 'carillon/internal/cli';
import { visibleCommands, visibleOptions } from 'carillon/internal/cli';

/** What an argument or an option accepts. Values of `schedule`, `namespace` and `zone` are looked up when they are needed. */
export type CompletionValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'schedule' | 'namespace' | 'zone' | 'file' | 'text' };

export interface OptionWords {
  /** `-z`, `--zone` */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent when the option takes no value. */
  readonly value?: CompletionValue;
}

export interface CommandWords {
  /** Words after the program's name: `['schedule', 'create']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** What the first argument accepts; later arguments accept the same. */
  readonly argument?: CompletionValue;
}

const files = new Set(['--file', '--output', '--db', '--config', '--log']);

/** The program first, then all commands below it. */
export function commandTree(command: Command, path: readonly string[] = []): readonly CommandWords[] {
  const below = visibleCommands(command);
  const argument = argumentValue(command, path);
  const help = path.length === 0 ? [{ name: 'help', summary: 'show help for a command' }] : [];
  const words: CommandWords = {
    path,
    summary: command.summaryText,
    options: visibleOptions(command).map(optionWords),
    commands: [...below.map(({ name, summaryText }) => ({ name, summary: summaryText })), ...help],
    ...(argument === undefined ? {} : { argument }),
  };
  return [words, ...below.flatMap((each) => commandTree(each, [...path, each.name]))];
}

function optionWords(option: Option): OptionWords {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const takesValue = option.takesValue || option.mayTakeValue;
  return { flags, description: option.description, ...(takesValue ? { value: optionValue(option) } : {}) };
}

function optionValue({ allowed, long }: Option): CompletionValue {
  if (allowed !== undefined) return { kind: 'words', words: allowed };
  if (long === '--zone') return { kind: 'zone' };
  if (long === '--schedule') return { kind: 'schedule' };
  if (long === '--namespace') return { kind: 'namespace' };
  return { kind: files.has(long) ? 'file' : 'text' };
}

function argumentValue(
  { arguments: declared }: Command,
  path: readonly string[],
): CompletionValue | undefined {
  const [first] = declared;
  if (first === undefined) return undefined;
  if (first.allowed !== undefined) return { kind: 'words', words: first.allowed };
  if (isSchedule(first, path)) return { kind: 'schedule' };
  if (first.name === 'namespace') return { kind: 'namespace' };
  return { kind: first.name === 'file' || first.name === 'target' ? 'file' : 'text' };
}

/** The id of a schedule that does not exist yet cannot be completed. */
function isSchedule(argument: Argument, path: readonly string[]): boolean {
  if (argument.name === 'schedule') return true;
  return path[0] === 'schedule' && path[1] !== 'create' && argument.name === 'id';
}

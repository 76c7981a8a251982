/** Parses a command line: the command, its arguments and its options. */
import { parseArgs } from 'node:util';
import { didYouMean, nearNames } from '../base/near-names.ts';
import type { Argument, Command, Option } from './command.ts';
import { BadValue } from './command.ts';
import { visibleOptions } from './help.ts';

/** An error of the command line. The message is for the user who typed it. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
}

/** The parsed request. */
export type Asked =
  | { readonly kind: 'help'; readonly command: Command }
  /** A group without one of its commands. */
  | { readonly kind: 'incomplete'; readonly command: Command }
  | { readonly kind: 'version' }
  | { readonly kind: 'perform'; readonly command: Command; readonly given: readonly unknown[] };

/** The program's option that prints the version. */
const versionFlags = ['-V', '--version'];

export function readArguments(program: Command, words: readonly string[]): Asked {
  const { command, rest, asksHelp } = findCommand(program, words);
  if (asksHelp) return { kind: 'help', command };
  if (command.takesAnything) {
    const asked = rest.includes('--help') || rest.includes('-h');
    const given = [{ json: rest.includes('--json') }];
    return asked ? { kind: 'help', command } : { kind: 'perform', command, given };
  }
  const isGroup = command.commands.length > 0;
  if (command.parent === undefined && rest.some((word) => versionFlags.includes(word)))
    return { kind: 'version' };
  const { values, positionals } = readOptions(command, rest);
  if (values.help === true) return { kind: 'help', command };
  if (isGroup) return { kind: 'incomplete', command };
  for (const { isRequired, attribute, flags } of command.options) {
    if (isRequired && values[attribute] === undefined)
      throw new BadArguments(`required option '${flags}' not specified`);
  }
  return { kind: 'perform', command, given: [...placed(command, positionals), values] };
}

interface Found {
  readonly command: Command;
  /** The remaining words, including options before the command's name. */
  readonly rest: readonly string[];
  readonly asksHelp: boolean;
}

function findCommand(program: Command, words: readonly string[]): Found {
  let command = program;
  let rest = words;
  let asksHelp = false;
  while (command.commands.length > 0) {
    const at = rest.findIndex((word) => !word.startsWith('-'));
    const name = rest[at];
    if (name === undefined) break;
    rest = rest.toSpliced(at, 1);
    if (name === 'help') {
      asksHelp = true;
      continue;
    }
    const found = command.commands.find((each) => each.name === name);
    if (found === undefined) throw new BadArguments(`unknown command '${name}'${nearCommand(command, name)}`);
    command = found;
  }
  return { command, rest, asksHelp };
}

interface Words {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function readOptions(command: Command, words: readonly string[]): Words {
  const options = visibleOptions(command);
  const args = tiedWords(options, words);
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      options.map(({ long, short, takesValue }) => [
        long.slice(2),
        {
          type: takesValue ? 'string' : 'boolean',
          ...(short === undefined ? {} : { short: short.slice(1) }),
        },
      ]),
    ),
  });
  const values: Record<string, unknown> = {};
  for (const { attribute, fallback, isNegation } of options) {
    if (fallback !== undefined || isNegation) values[attribute] = fallback ?? true;
  }
  const used = new Set<Option>();
  const positionals: string[] = [];
  /** The option that takes the following words, and the index of the next one. */
  let open: { readonly option: Option; readonly at: number } | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') {
      open = undefined;
      continue;
    }
    if (token.kind === 'positional') {
      if (open === undefined || open.at !== token.index) {
        positionals.push(token.value);
        continue;
      }
      take(values, used, open.option, token.value);
      open = open.option.isVariadic ? { option: open.option, at: token.index + 1 } : undefined;
      continue;
    }
    const option = options.find(({ long }) => long === `--${token.name}`);
    if (option === undefined)
      throw new BadArguments(`unknown option '${token.rawName}'${nearOption(options, token.rawName)}`);
    if (option.takesValue && token.value === undefined)
      throw new BadArguments(`option '${option.flags}' argument missing`);
    if (option.takesValue || token.value !== undefined) take(values, used, option, token.value as string);
    else values[option.attribute] = !option.isNegation;
    const mayGoOn = option.isVariadic || (option.mayTakeValue && token.value === undefined);
    const at = token.index + (option.takesValue && token.inlineValue === false ? 2 : 1);
    open = mayGoOn ? { option, at } : undefined;
  }
  return { values, positionals };
}

/**
 * `--command -- find /tmp -delete`: the following words belong to the option, including those with dashes. The parser
 * would read `-delete` as an option, so each word is attached to `--command`.
 */
function tiedWords(options: readonly Option[], words: readonly string[]): string[] {
  const lists = options.filter(({ isVariadic }) => isVariadic).map(({ long }) => long);
  const at = words.findIndex((word, index) => lists.includes(word) && words[index + 1] === '--');
  if (at < 0) return [...words];
  return [...words.slice(0, at), ...words.slice(at + 2).map((word) => `${words[at]}=${word}`)];
}

/** Adds the value of one use of an option. */
function take(values: Record<string, unknown>, used: Set<Option>, option: Option, text: string): void {
  const { attribute, allowed, reader, isVariadic, flags } = option;
  // The first typed value replaces the declared default.
  const before = used.has(option) ? values[attribute] : undefined;
  used.add(option);
  const wrong = (why: string) => new BadArguments(`option '${flags}' argument '${text}' is invalid. ${why}`);
  if (allowed !== undefined && !allowed.includes(text)) throw wrong(choicesText(allowed, text));
  if (isVariadic) {
    values[attribute] = [...((before as readonly string[] | undefined) ?? []), text];
    return;
  }
  try {
    values[attribute] = reader === undefined ? text : reader(text, before as never);
  } catch (error) {
    if (error instanceof BadValue) throw wrong(error.message);
    throw error;
  }
}

/** Assigns positional words to the declared arguments. */
function placed(command: Command, positionals: readonly string[]): readonly unknown[] {
  const { arguments: declared, name } = command;
  const isOpen = declared.at(-1)?.isVariadic === true;
  if (!isOpen && positionals.length > declared.length) {
    const expected = `${declared.length} argument${declared.length === 1 ? '' : 's'}`;
    throw new BadArguments(
      `too many arguments for '${name}'. Expected ${expected} but got ${positionals.length}.`,
    );
  }
  return declared.map((argument, index) => {
    const given = argument.isVariadic ? positionals.slice(index) : positionals.slice(index, index + 1);
    if (given.length === 0 && argument.isRequired)
      throw new BadArguments(`missing required argument '${argument.name}'`);
    for (const text of given) checkChoice(argument, text);
    return argument.isVariadic ? given : (given[0] ?? argument.fallback);
  });
}

function choicesText(allowed: readonly string[], text: string): string {
  const meant = didYouMean(nearNames(text, allowed));
  return `Allowed choices are ${allowed.join(', ')}.${meant === undefined ? '' : ` Did${meant.slice(3)}`}`;
}

function checkChoice({ allowed, name }: Argument, text: string): void {
  if (allowed === undefined || allowed.includes(text)) return;
  throw new BadArguments(
    `command-argument value '${text}' is invalid for argument '${name}'. ${choicesText(allowed, text)}`,
  );
}

function nearCommand({ commands }: Command, name: string): string {
  return suggestion(
    name,
    commands.filter(({ isHidden }) => !isHidden).map((each) => each.name),
  );
}

function nearOption(options: readonly Option[], flag: string): string {
  if (!flag.startsWith('--')) return '';
  const names = options.map(({ long }) => long.slice(2));
  return suggestion(flag.slice(2), names, '--');
}

function suggestion(wanted: string, names: readonly string[], before = ''): string {
  // `--port` is a part of `--http-port`, however far their spellings are apart.
  const parts = names.filter((name) => name.split('-').includes(wanted));
  const near = [...new Set([...nearNames(wanted, names), ...parts])].map((name) => `${before}${name}`);
  if (near.length === 0) return '';
  return `\n(Did you mean ${near.length === 1 ? '' : 'one of '}${near.join(', ')}?)`;
}

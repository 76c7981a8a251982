/**
 * Commands as data: names, arguments, options, help texts and what to do. `arguments.ts` reads words by it, `help.ts` writes
 * the help, the completion scripts list it. It is our own because the library has no dependency for a command line, and
 * both packages must understand the same words in the same way.
 */

/** Thrown by the reader of a value: says what to write instead. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

/** Turns the text of a value into what the command receives; `before` is the value of an earlier use of the option. */
export type Reader = (text: string, before: never) => unknown;

export class Option {
  readonly flags: string;
  readonly description: string;
  readonly short: string | undefined;
  readonly long: string;
  /** Must be followed by a value. */
  readonly takesValue: boolean;
  /** May be followed by a value. */
  readonly mayTakeValue: boolean;
  readonly isVariadic: boolean;
  isRequired = false;
  allowed: readonly string[] | undefined;
  fallback: unknown;
  reader: Reader | undefined;
  /** The heading of the help below which it stands. */
  group = 'Options:';

  /** `flags`: `-z, --zone <name>`, `--paused [note]`, `--command <word...>`, `--no-demo`. */
  constructor(flags: string, description: string) {
    this.flags = flags;
    this.description = description;
    this.short = /(?:^|\s)(-[A-Za-z])(?:,|\s|$)/.exec(flags)?.[1];
    this.long = /--[a-z][a-z-]*/.exec(flags)?.[0] ?? '';
    this.takesValue = flags.includes('<');
    this.mayTakeValue = flags.includes('[');
    this.isVariadic = flags.includes('...');
  }

  /** Whether its use says no to something that is so otherwise. */
  get isNegation(): boolean {
    return this.long.startsWith('--no-');
  }

  /** Under which the command receives its value: `failOn` of `--fail-on`. */
  get attribute(): string {
    return this.long
      .replace(/^--(no-)?/, '')
      .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  }

  choices(allowed: readonly string[]): this {
    this.allowed = allowed;
    return this;
  }

  default(value: unknown): this {
    this.fallback = value;
    return this;
  }
}

export class Argument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  allowed: readonly string[] | undefined;
  fallback: unknown;

  /** `flags`: `<file>`, `[time]`, `[target...]`. */
  constructor(flags: string, description = '') {
    this.name = flags.replace(/[<>[\].]/g, '');
    this.description = description;
    this.isRequired = flags.startsWith('<');
    this.isVariadic = flags.includes('...');
  }

  choices(allowed: readonly string[]): this {
    this.allowed = allowed;
    return this;
  }

  get usage(): string {
    const name = `${this.name}${this.isVariadic ? '...' : ''}`;
    return this.isRequired ? `<${name}>` : `[${name}]`;
  }
}

/** What a command does with its arguments, followed by its options as one object. */
export type Perform = (...given: readonly unknown[]) => unknown;

export class Command {
  readonly name: string;
  readonly parent: Command | undefined;
  readonly isHidden: boolean;
  readonly commands: Command[] = [];
  readonly options: Option[] = [];
  readonly arguments: Argument[] = [];
  /** The heading of the parent's help below which it stands. */
  group = 'Commands:';
  summaryText = '';
  descriptionText = '';
  afterHelp = '';
  perform: Perform | undefined;
  /** Whether every word is taken as it is, options included. */
  takesAnything = false;
  #optionGroup = 'Options:';

  constructor(name: string, parent?: Command, isHidden = false) {
    this.name = name;
    this.parent = parent;
    this.isHidden = isHidden;
  }

  /** Adds a command below this one: `create <id>`. */
  command(words: string, { hidden = false }: { readonly hidden?: boolean } = {}): Command {
    const [name = '', ...rest] = words.split(' ');
    const added = new Command(name, this, hidden);
    for (const flags of rest) added.argument(flags);
    this.commands.push(added);
    return added;
  }

  summary(text: string): this {
    this.summaryText = text;
    return this;
  }

  description(text: string): this {
    this.descriptionText = text;
    return this;
  }

  argument(flags: string, description = '', fallback?: unknown): this {
    const added = new Argument(flags, description);
    added.fallback = fallback;
    return this.addArgument(added);
  }

  addArgument(argument: Argument): this {
    this.arguments.push(argument);
    return this;
  }

  /** The third parameter is a reader, or the value without the option when it is no function. */
  option(flags: string, description: string, readerOrFallback?: unknown, fallback?: unknown): this {
    const option = new Option(flags, description);
    if (typeof readerOrFallback === 'function') option.reader = readerOrFallback as Reader;
    return this.addOption(
      option.default(typeof readerOrFallback === 'function' ? fallback : readerOrFallback),
    );
  }

  requiredOption(flags: string, description: string): this {
    const option = new Option(flags, description);
    option.isRequired = true;
    return this.addOption(option);
  }

  addOption(option: Option): this {
    option.group = this.#optionGroup;
    this.options.push(option);
    return this;
  }

  /** The heading of the help below which the following options stand. */
  optionsGroup(heading: string): this {
    this.#optionGroup = heading;
    return this;
  }

  /** Text behind everything else of the help. */
  addHelpText(_place: 'after', text: string): this {
    this.afterHelp += text;
    return this;
  }

  /** Parameters are the arguments, then the options; their types are what the declarations above make of them. */
  action(perform: (...given: never[]) => unknown): this {
    this.perform = perform as unknown as Perform;
    return this;
  }

  /** `carillon schedule create` */
  get path(): string {
    return this.parent === undefined ? this.name : `${this.parent.path} ${this.name}`;
  }
}

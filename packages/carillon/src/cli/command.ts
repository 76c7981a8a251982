/**
 * Commands as data: names, arguments, options, help texts and actions. `arguments.ts` parses by it, `help.ts` writes
 * the help, the completion scripts list it. Carillon has its own implementation because the library has no dependency
 * for a command line, and both packages must parse in the same way.
 */

/** The error of an invalid value; its message says what to write instead. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

/** Converts the text of a value to what the command receives; `before` is the value of an earlier use of the option. */
export type Reader = (text: string, before: never) => unknown;

export class Option {
  readonly flags: string;
  readonly description: string;
  readonly short: string | undefined;
  readonly long: string;
  /** Whether a value must follow. */
  readonly takesValue: boolean;
  /** Whether a value may follow. */
  readonly mayTakeValue: boolean;
  readonly isVariadic: boolean;
  isRequired = false;
  allowed: readonly string[] | undefined;
  fallback: unknown;
  reader: Reader | undefined;
  /** The heading of its group in the help. */
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

  /** Whether the option switches off a default. */
  get isNegation(): boolean {
    return this.long.startsWith('--no-');
  }

  /** The name under which the command receives the value: `failOn` of `--fail-on`. */
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

/** The function of a command: receives its arguments, then its options as one object. */
export type Perform = (...given: readonly unknown[]) => unknown;

export class Command {
  readonly name: string;
  readonly parent: Command | undefined;
  readonly isHidden: boolean;
  readonly commands: Command[] = [];
  readonly options: Option[] = [];
  readonly arguments: Argument[] = [];
  /** The heading of its group in the parent's help. */
  group = 'Commands:';
  summaryText = '';
  descriptionText = '';
  afterHelp = '';
  perform: Perform | undefined;
  /** Whether every word, including options, is taken as an argument. */
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

  /** Adds an option. The third parameter is a reader, or the default value when it is not a function. */
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

  /** Sets the heading of the following options in the help. */
  optionsGroup(heading: string): this {
    this.#optionGroup = heading;
    return this;
  }

  /** Adds a text at the end of the help. */
  addHelpText(_place: 'after', text: string): this {
    this.afterHelp += text;
    return this;
  }

  /**
   * Sets the function of the command. Its parameters are the arguments, then the options, with the types that the
   * declarations produce.
   */
  action(perform: (...given: never[]) => unknown): this {
    this.perform = perform as unknown as Perform;
    return this;
  }

  /** The words that call the command, such as `carillon schedule create`. */
  get path(): string {
    return this.parent === undefined ? this.name : `${this.parent.path} ${this.name}`;
  }
}

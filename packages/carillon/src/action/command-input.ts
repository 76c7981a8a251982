/** A program as a schedule asks for it. */
import type { Problem } from '../base/error.ts';

export interface CommandInput {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of our own environment that the command may see, beside PATH. */
  readonly passEnv?: readonly string[];
  /** Of one attempt; default none. */
  readonly timeout?: string | number;
  /** Run the joined words through the shell instead. */
  readonly shell?: boolean;
}

/** What the operating system cannot take; a text that ends in a NUL ends earlier than its author sees. */
export function commandProblems({ argv, cwd, env }: CommandInput): readonly Problem[] {
  const problems: Problem[] = [];
  if (argv[0]?.trim() === '') {
    const message = 'names no program';
    problems.push({ path: 'command.argv[0]', reason: 'NO_PROGRAM', message, fix: "write e.g. ['backup']" });
  }
  const texts = {
    argv: argv.join(' '),
    cwd: cwd ?? '',
    env: Object.entries(env ?? {})
      .flat()
      .join(' '),
  };
  for (const [field, text] of Object.entries(texts)) {
    if (!text.includes('\0')) continue;
    const message = 'contains a NUL character';
    problems.push({ path: `command.${field}`, reason: 'NUL_CHARACTER', message, fix: 'remove it' });
  }
  for (const name of Object.keys(env ?? {})) {
    if (name !== '' && !name.includes('=')) continue;
    const message = `'${name}' cannot name a variable`;
    problems.push({ path: 'command.env', reason: 'BAD_NAME', message, fix: 'write a name without =' });
  }
  return problems;
}

/** `command`: the fields of a schedule that runs a program. */
import { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { durationFix, field, type InputOf, needed, timeoutShape } from '../base/fields.ts';
import { workElsewhere } from './action-kind.ts';
import { hasReference, referenceProblems } from './secret.ts';

const fields = {
  /** The program and its arguments; no shell interprets them. */
  argv: needed(z.array(z.string()).min(1), "write e.g. ['backup', '--all']"),
  cwd: field(z.string(), 'write a path'),
  env: field(z.record(z.string(), z.string()), 'write names with texts'),
  /** Variables of the server's environment that the command may see, besides PATH. */
  passEnv: field(z.array(z.string()), 'write a list of names'),
  /** The longest duration of one attempt; default none. */
  timeout: field(timeoutShape, durationFix),
  /** Whether to pass the joined words to the shell instead. */
  shell: field(z.boolean(), 'write true or false'),
};

export interface CommandInput extends InputOf<typeof fields> {}

export const commandKind = workElsewhere<'command', CommandInput>({
  kind: 'command',
  runsPrograms: true,
  schema: field(z.strictObject(fields), "write e.g. { argv: ['backup', '--all'] }"),
  problems: commandProblems,
  sensitive: (target, visit) =>
    target.env === undefined
      ? target
      : {
          ...target,
          env: Object.fromEntries(
            Object.entries(target.env).map(([name, value]) => [name, visit(`command.env.${name}`, value)]),
          ),
        },
  summary: ({ argv }) => `command ${argv.join(' ')}`,
  isTimed: ({ timeout }) => timeout !== undefined,
  commandLine: {
    choosing: [
      {
        flags: '--command <word...>',
        description: 'a program and its arguments; at the end, after --, when they begin with a dash',
      },
    ],
    further: [],
    read: ({ command }) => (command === undefined ? undefined : { argv: command }),
  },
});

/** Checks what the operating system cannot accept: a NUL would end a text earlier than its author sees. */
function commandProblems({ argv, cwd, env }: CommandInput): readonly Problem[] {
  const problems: Problem[] = [];
  if (argv[0]?.trim() === '') {
    const message = 'the name of the program is empty';
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
  argv.forEach((word, index) => {
    if (!hasReference(word)) return;
    const message = 'every user of the machine can see the arguments of a program';
    const fix = 'pass the secret in env, where references are allowed';
    problems.push({ path: `command.argv[${index}]`, reason: 'SECRET_IN_ARGUMENTS', message, fix });
  });
  for (const [name, value] of Object.entries(env ?? {})) {
    problems.push(...referenceProblems(`command.env.${name}`, value));
    if (name !== '' && !name.includes('=')) continue;
    const message = `'${name}' is not a valid name of a variable`;
    problems.push({ path: 'command.env', reason: 'BAD_NAME', message, fix: 'write a name without =' });
  }
  return problems;
}

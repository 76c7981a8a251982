/** Completion for fish. */
import type { CommandWords, CompletionValue, OptionWords } from './tree.ts';

export function fishScript(tree: readonly CommandWords[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  const lines = tree.flatMap(({ path, commands, options, argument }) => {
    const here = `-n ${quoted(`__carillon_at ${quoted(path.join(' '))}`)}`;
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c carillon ${here} -f -a ${name} -d ${quoted(summary)}`,
      ),
      ...options.map((option) => optionLine(option, here)),
      ...(argument === undefined || commands.length > 0
        ? []
        : [`complete -c carillon ${here} ${reply(argument)}`]),
    ];
  });
  return `# Completion of carillon for fish. Use: carillon completion fish | source
function __carillon_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    if contains -- "$next" ${known.join(' ')}
      set path $next
    end
  end
  echo $path
end

function __carillon_at
  test (__carillon_path) = "$argv[1]"
end

function __carillon_ask
  set -l words (commandline -opc)
  $words[1] __complete $argv[1] (commandline -ct) -- $words[2..-1] 2>/dev/null
end

complete -c carillon -f
${lines.join('\n')}
`;
}

function optionLine({ flags, description, value }: OptionWords, here: string): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes = value === undefined ? '' : ` ${value.kind === 'file' ? '-r -F' : `-x ${reply(value)}`}`;
  return `complete -c carillon ${here} ${named.join(' ')}${takes.trimEnd()} -d ${quoted(description)}`;
}

function reply(value: CompletionValue): string {
  switch (value.kind) {
    case 'words':
      return `-a ${quoted(value.words.join(' '))}`;
    case 'file':
      return '-F';
    case 'text':
      return '';
    default:
      return `-a ${quoted(`(__carillon_ask ${value.kind})`)}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

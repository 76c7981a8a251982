/** Completion for zsh. */
import type { CommandWords, CompletionValue } from './tree.ts';

export function zshScript(tree: readonly CommandWords[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : [
            arm(
              flags.map((flag) => quoted(`${path.join(' ')}:${flag}`)),
              reply(value),
            ),
          ],
    ),
  );
  const flags = tree.map(({ path, options }) =>
    arm(
      [quoted(path.join(' '))],
      described(options.flatMap((option) => option.flags.map((flag) => [flag, option.description] as const))),
    ),
  );
  const plain = tree.map(({ path, commands, argument }) =>
    arm(
      [quoted(path.join(' '))],
      commands.length > 0
        ? described(commands.map(({ name, summary }) => [name, summary] as const))
        : reply(argument ?? { kind: 'text' }),
    ),
  );
  return `#compdef carillon
# Completion of carillon for zsh. Use: source <(carillon completion zsh), or put it into a folder of $fpath as _carillon.
_carillon_ask() {
  local -a found
  found=(\${(f)"$("\${words[1]}" __complete "$1" "\${words[CURRENT]}" -- "\${(@)words[2,-1]}" 2>/dev/null)"})
  compadd -- "\${found[@]}"
}

_carillon() {
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT - 1]}" command_path="" next i
  local -a shown
  for ((i = 2; i < CURRENT; i++)); do
    next="\${command_path:+$command_path }\${words[i]}"
    case "$next" in
      (${known.join('|')})
        command_path="$next"
        ;;
    esac
  done
  case "$command_path:$prev" in
${values.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    case "$command_path" in
${flags.join('\n')}
    esac
    return
  fi
  case "$command_path" in
${plain.join('\n')}
  esac
}

if [ "$funcstack[1]" = "_carillon" ]; then
  _carillon "$@"
else
  compdef _carillon carillon
fi
`;
}

function arm(patterns: readonly string[], action: string): string {
  return `    (${patterns.join('|')})\n      ${action}\n      return\n      ;;`;
}

function reply(value: CompletionValue): string {
  switch (value.kind) {
    case 'words':
      return `compadd -- ${value.words.map(quoted).join(' ')}`;
    case 'file':
      return '_files';
    case 'text':
      return ':';
    default:
      return `_carillon_ask ${value.kind}`;
  }
}

/** \`_describe\` takes the text up to the first colon as the word. */
function described(pairs: readonly (readonly [word: string, text: string])[]): string {
  const items = pairs.map(([word, text]) => quoted(`${word.replaceAll(':', '\\:')}:${text}`));
  return `shown=(${items.join(' ')}); _describe carillon shown`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Completion for bash. */
import type { CommandWords, CompletionValue } from './tree.ts';

export function bashScript(tree: readonly CommandWords[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : [
            arm(
              flags.map((flag) => `"${path.join(' ')}:${flag}"`),
              reply(value),
            ),
          ],
    ),
  );
  const flags = tree.map(({ path, options }) =>
    arm([`"${path.join(' ')}"`], words(options.flatMap((option) => option.flags))),
  );
  const plain = tree.map(({ path, commands, argument }) =>
    arm(
      [`"${path.join(' ')}"`],
      commands.length > 0 ? words(commands.map(({ name }) => name)) : reply(argument ?? { kind: 'text' }),
    ),
  );
  return `# Completion of carillon for bash. Use: source <(carillon completion bash)
_carillon_ask() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" __complete "$1" "$cur" -- "\${COMP_WORDS[@]:1}" 2>/dev/null)" -- "$cur"))
}

_carillon() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" path="" next i
  ((COMP_CWORD > 0)) && prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${known.join(' | ')})
        path="$next"
        ;;
    esac
  done
  case "$path:$prev" in
${values.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    case "$path" in
${flags.join('\n')}
    esac
    return
  fi
  case "$path" in
${plain.join('\n')}
  esac
}

complete -F _carillon carillon
`;
}

/** One arm of the `case`; it ends the function, so that no later rule adds suggestions. */
function arm(patterns: readonly string[], action: string): string {
  return `    ${patterns.join(' | ')})\n      ${action}\n      return\n      ;;`;
}

function reply(value: CompletionValue): string {
  switch (value.kind) {
    case 'words':
      return words(value.words);
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$cur"))';
    case 'text':
      return ':';
    default:
      return `_carillon_ask ${value.kind}`;
  }
}

function words(each: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${each.join(' ')}" -- "$cur"))`;
}

/**
 * Comments, and what a comment's first characters may stand in: strings, templates with templates in their expressions,
 * regular expressions. A slash after a name, a number or a closing bracket divides.
 */
const tokens =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`}]|`(?:[^`\\]|\\[\s\S])*`)*\})*`|(?<![\w$)\]]\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)/g;

/**
 * The code of a TypeScript file, for checks that search it for words. Strings stay as they are: one with `/*` in it, such
 * as a pattern of media types, begins no comment.
 */
export function withoutComments(text) {
  return text.replace(tokens, (token, ...rest) => (rest.at(-1).comment === undefined ? token : ''));
}

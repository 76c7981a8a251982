/** Terminal colours. Without colours every function returns its text unchanged. */

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>;

export function paintWith(colored: boolean): Paint {
  const painter = (name: keyof typeof codes) => {
    const [on, off] = codes[name];
    return colored ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : (text: string) => text;
  };
  return {
    bold: painter('bold'),
    dim: painter('dim'),
    red: painter('red'),
    green: painter('green'),
    yellow: painter('yellow'),
    magenta: painter('magenta'),
    cyan: painter('cyan'),
  };
}

export interface SourceFile {
  /** Absolute path. */
  readonly file: string;
  /** `package/path/below/src.ts` */
  readonly name: string;
  readonly package: string;
  /** The folder in the graph. */
  readonly part: string;
}

export interface Crossing {
  readonly package: string;
  /** The importing file. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

export function sourceFiles(repository: string): readonly SourceFile[];
export function importsOf(text: string): readonly { readonly target: string; readonly typeOnly: boolean }[];
export function crossings(repository: string): readonly Crossing[];

export interface ScreenWeight {
  /** The screen's path below the namespace. */
  readonly screen: string;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  readonly bytes: number;
}

export const builtPage: string;
export function screenWeights(): readonly ScreenWeight[];

/** The result of a manifest parser: values, and the line of each. */

/** Names of fields and indexes in lists, from the top. */
export type ManifestPath = readonly (string | number)[];

/** A syntax error of the document's format. */
export interface DocumentError {
  readonly reason: string;
  readonly message: string;
  readonly line: number;
  readonly fix?: string;
}

/** One document of a manifest. */
export interface ManifestDocument {
  /** The errors; if there is one, the value is not used. */
  readonly errors: readonly DocumentError[];
  /** The value; null when the document is empty. */
  readonly value: unknown;
  /** The line of the field or element at a path; undefined when there is none. */
  line(path: ManifestPath): number | undefined;
}

/** Reads all documents of a text. */
export type DocumentParser = (text: string) => readonly ManifestDocument[];

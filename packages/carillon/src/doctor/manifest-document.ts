/** What a parser of manifests gives: values, and where each of them stands in the text. */

/** Names of fields and places in lists, from the top. */
export type ManifestPath = readonly (string | number)[];

/** Something that is no well-formed text of its format. */
export interface DocumentError {
  readonly reason: string;
  readonly message: string;
  readonly line: number;
  readonly fix?: string;
}

/** One document of a manifest. */
export interface ManifestDocument {
  /** With an error the value is not used. */
  readonly errors: readonly DocumentError[];
  /** Null: the document is empty. */
  readonly value: unknown;
  /** The line of the field or element at a path; undefined when there is none. */
  line(path: ManifestPath): number | undefined;
}

/** Reads all documents of a text. */
export type DocumentParser = (text: string) => readonly ManifestDocument[];

/** Reads manifests from YAML, with the line of every field, and writes them. */
import type { DocumentParser, ManifestPath } from 'carillon/doctor';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  stringify,
} from 'yaml';

export const parseYaml: DocumentParser = (text) => {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  if ('empty' in documents) return [];
  return documents.map((document) => ({
    errors: document.errors.map(({ message, pos, code }) => ({
      reason: code,
      message: message.split('\n')[0] ?? message,
      line: lines.linePos(pos[0]).line,
    })),
    value: document.errors.length > 0 ? null : (document.toJS() as unknown),
    line: (path) => {
      const start = startOf(document as Document, path);
      return start === undefined ? undefined : lines.linePos(start).line;
    },
  }));
};

export function writeYaml(manifest: object, remark: string): string {
  return `# ${remark}\n${stringify(manifest, { lineWidth: 0 })}`;
}

/** Offset of the field's name, or of the node when it has no name. */
function startOf(document: Document, path: ManifestPath): number | undefined {
  const parent = path.length === 0 ? undefined : nodeAt(document, path.slice(0, -1));
  if (isMap(parent)) {
    for (const { key } of parent.items) {
      if (isScalar(key) && key.value === path.at(-1)) return key.range?.[0];
    }
    return undefined;
  }
  return nodeAt(document, path)?.range?.[0];
}

function nodeAt(document: Document, path: ManifestPath): Node | undefined {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : undefined;
}

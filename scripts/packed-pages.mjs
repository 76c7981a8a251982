// The README and the docs as packages carry them: every link leads to a file of the package, and commands are those of a user.
import { posix } from 'node:path';

const fence = /(```[\s\S]*?\n```)/;

/** Links to files outside the package become plain text, and pictures are removed. `has` takes a path within the package. */
export function packedPage(text, page, has) {
  const parts = text.split(fence);
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutLostLinks(part, page, has))).join('');
}

function withoutLostLinks(text, page, has) {
  const leads = (link) =>
    /^(https?:|#)/.test(link) || has(posix.join(posix.dirname(page), link.replace(/#.*/, '')));
  return text
    .replace(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replace(/(?<![\w\]])\[([^\]]*)\]\(([^)]+)\)/g, (whole, words, link) => (leads(link) ? whole : words));
}

const inClone = /```\nnpm ci && npx carillon dev[^#]*(#[^\n]*)\nnpm ci && npm test[^\n]*\n```/;

/** The README begins with the commands of a clone. */
export function packedReadme(text, has) {
  if (!inClone.test(text)) throw new Error('the two commands of README.md are not where they are expected');
  const installed = text.replace(inClone, '```\nnpm install @carillon/server && npx carillon dev   $1\n```');
  const page = packedPage(installed, 'README.md', has);
  return has('docs/README.md')
    ? page
    : `${page}\nThe documentation is in the folder \`docs\` of the package \`carillon\`.\n`;
}

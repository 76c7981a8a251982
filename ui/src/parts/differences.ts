/** What the living nodes of a cluster do not have in common. Pure. */
import type { NodeInfo } from 'carillon/client';

type Compared = Pick<NodeInfo, 'state' | 'version' | 'timeZoneVersion'>;

/** Sentences for a person: none while all nodes are the same, as they should be but for the minutes of a deploy. */
export function differencesOf(nodes: readonly Compared[]): readonly string[] {
  const alive = nodes.filter(({ state }) => state === 'alive');
  const versions = distinct(alive.map(({ version }) => version));
  const tables = distinct(alive.map(({ timeZoneVersion }) => timeZoneVersion));
  return [
    ...(versions.length < 2 ? [] : [`Several versions are at work: ${versions.join(', ')}.`]),
    ...(tables.length < 2
      ? []
      : [
          `Several releases of the zone tables are at work: ${tables.join(', ')}. Where a zone has changed between them, nodes compute different times.`,
        ]),
  ];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

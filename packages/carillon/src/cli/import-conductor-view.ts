/** The report of `import conductor`, besides the manifest. */
import type { ConductorReport } from './import-conductor.ts';
import { proofCell, proofText } from './import-proof-view.ts';

export function conductorText({ imported, remarks }: ConductorReport, colored: boolean): string {
  const rows = imported.flatMap(({ id, crons, proof }) =>
    crons.map(({ text, zone = 'UTC' }, index) => [
      index === 0 ? id : '',
      text,
      zone,
      index === 0 ? proofCell(proof) : '',
    ]),
  );
  const proofs = imported.map(({ proof }) => proof);
  const by = 'an independent reading of the cron';
  return proofText({ head: ['NAME', 'WHEN', 'ZONE', 'PROOF'], rows, remarks, proofs, by }, colored);
}

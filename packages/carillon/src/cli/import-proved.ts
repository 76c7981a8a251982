/** What all imports with proofs do at their end: report, then print, write or apply the manifest. */
import type { ScheduleInput } from '../client/index.ts';
import type { Context } from './context.ts';
import { EndWith, exitCode } from './exit.ts';
import { type ImportTarget, outputImport } from './import-output.ts';
import type { ProvedImport } from './import-proof-view.ts';
import { proofText } from './import-proof-view.ts';

export interface ProvedTarget extends ImportTarget {
  readonly compare: number;
  readonly acceptDifferences?: boolean;
}

export interface ProvedSchedules {
  readonly imported: readonly {
    readonly id: string;
    readonly input: ScheduleInput;
    readonly proof: ProvedImport['proofs'][number];
  }[];
  readonly remarks: ProvedImport['remarks'];
}

export interface ProvedEnd extends Pick<ProvedImport, 'head' | 'rows' | 'by'> {
  /** Where the schedules came from, in words. */
  readonly source: string;
  /** What `--json` prints for each schedule besides its proof. */
  readonly about?: (index: number) => object;
}

/** Ends with a failure when a schedule could not be read, its times differ, or a change did not happen. */
export async function endImport(
  context: Context,
  given: ProvedTarget,
  { imported, remarks }: ProvedSchedules,
  { source, about = () => ({}), ...view }: ProvedEnd,
): Promise<void> {
  const manifest = { owner: given.owner, schedules: imported.map(({ id, input }) => ({ id, ...input })) };
  const differs = imported.some(({ proof }) => proof.difference !== undefined);
  const failed =
    (differs && given.acceptDifferences !== true) || remarks.some(({ level }) => level === 'error');
  if (given.json !== true) {
    const proofs = imported.map(({ proof }) => proof);
    context.stderr.write(proofText({ ...view, remarks, proofs }, context.colors.stderr));
  }
  const proofs = imported.map(({ id, proof }, index) => ({ id, ...about(index), ...proof }));
  const isDone = await outputImport(context, given, {
    manifest,
    source,
    failed,
    report: { proofs, remarks },
  });
  if (failed || !isDone) throw new EndWith(exitCode.failure);
}

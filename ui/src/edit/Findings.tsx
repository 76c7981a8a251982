import { Note } from '../parts/Note.tsx';
import { sentence } from '../parts/sentence.ts';
import { withLengths } from '../time/with-lengths.ts';
import type { Draft } from './draft.ts';
import type { Finding } from './lint.ts';

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly onTake: (draft: Draft) => void;
}

/** Known pitfalls of what is being edited: what is likely wrong as a note, what is good to know as a line. */
export function Findings({ findings, onTake }: FindingsProps) {
  return findings.map((finding) =>
    finding.severity === 'info' ? (
      <p key={finding.code} className="t2 text-second">
        {withLengths(sentence(finding.message))} <Remedy finding={finding} onTake={onTake} />
      </p>
    ) : (
      <Note key={finding.code} family={finding.severity === 'error' ? 'fail' : 'policy'}>
        <b>{withLengths(sentence(finding.message))}</b> <Remedy finding={finding} onTake={onTake} />
      </Note>
    ),
  );
}

function Remedy({ finding: { fix, remedy }, onTake }: { finding: Finding; onTake: (draft: Draft) => void }) {
  if (remedy === undefined) return fix === '' ? null : sentence(fix);
  return (
    <button type="button" className="link" onClick={() => onTake(remedy.draft)}>
      {remedy.text}
    </button>
  );
}

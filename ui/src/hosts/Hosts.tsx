/** Workflow hosts: producers, topics and consumers of each workflow. */
import { Screen } from '../app/Screen.tsx';
import { Command } from '../parts/Copy.tsx';
import { Mark } from '../verdict/Mark.tsx';

export function Hosts() {
  return (
    <Screen
      crumbs={[{ text: 'Workflow hosts' }]}
      title="Workflow hosts"
      sub="Producers read the world on a schedule, topics hold what they found, consumers act on it. One run at a time in each workflow."
    >
      <div className="card empty">
        <span className="mb-1 flex gap-2">
          <Mark look="notYet" />
          <Mark look="buffered" />
          <Mark look="notYet" />
        </span>
        <h2>No workflow host yet</h2>
        <p>A workflow is deployed by a program that has its producers and consumers.</p>
        <div className="mt-2 w-full max-w-110">
          <Command text="carillon schedule list" />
        </div>
      </div>
    </Screen>
  );
}

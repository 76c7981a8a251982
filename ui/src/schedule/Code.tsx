/** The definition as code to copy, or as commands. */
import { Command, CopyButton } from '../parts/Copy.tsx';
import { type CodeName, codeOf, commandsOf } from './code.ts';

interface CodeProps {
  readonly name: CodeName | 'cli';
  readonly id: string;
  readonly definition: object;
}

export function Code({ name, id, definition }: CodeProps) {
  const fields = definition as Readonly<Record<string, unknown>>;
  if (name === 'cli') {
    return (
      <div className="grid gap-2">
        {commandsOf(id, fields).map((command) => (
          <Command key={command} text={command} />
        ))}
      </div>
    );
  }
  const text = codeOf(name, id, fields);
  return (
    <div className="relative">
      <pre className="overflow-auto" tabIndex={0}>
        {text}
      </pre>
      <span className="absolute top-0 right-0">
        <CopyButton text={text} label="Copy" />
      </span>
    </div>
  );
}

/** A table that scrolls sideways inside its card when it has to; what of it is shown depends on its own width. */
import type { ReactNode } from 'react';

interface Column {
  readonly text: string;
  readonly className?: string;
  /** Whether only screen readers get the name, as for a column of buttons. */
  readonly isSilent?: boolean;
  /** Whether the rows are in the order of this column, the latest first. */
  readonly isSorted?: boolean;
}

interface TableProps {
  /** The name of the list for screen readers. */
  readonly name: string;
  /** The names of the columns, in order. */
  readonly head: readonly (string | Column)[];
  readonly className?: string;
  /** Rows. */
  readonly children: ReactNode;
}

export function Table({ name, head, className = '', children }: TableProps) {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={name}>
      <table className={`table ${className}`}>
        <thead>
          <tr>
            {head.map((each) => {
              const column: Column = typeof each === 'string' ? { text: each } : each;
              return (
                <th
                  key={column.text}
                  scope="col"
                  className={column.className}
                  {...(column.isSorted === true ? { 'aria-sort': 'descending' } : {})}
                >
                  {column.isSilent === true ? <span className="sr">{column.text}</span> : column.text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** An error boundary: a part that cannot be loaded or drawn shows the error in its place, and the rest of the page keeps working. */
import type { ReactNode } from 'react';
import { Component } from 'react';
import { Broken } from './Broken.tsx';
import { forgetFailures } from './lazy-part.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  /** The subject of the content; when it changes, the content is drawn again. */
  readonly of?: string | undefined;
  /** For dialogs: called when the person closes the error, which is shown in the corner. */
  readonly onClose?: () => void;
}

interface Caught {
  readonly error?: unknown;
  readonly of?: string | undefined;
}

export class Boundary extends Component<BoundaryProps, Caught> {
  override state: Caught = { of: this.props.of };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, before: Caught): Caught {
    return of === before.of ? before : { of, error: undefined };
  }

  #again = () => {
    forgetFailures();
    this.setState({ error: undefined });
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const { onClose } = this.props;
    return (
      <Broken
        error={error}
        onAgain={this.#again}
        {...(onClose === undefined
          ? {}
          : {
              onClose: () => {
                this.#again();
                onClose();
              },
            })}
      />
    );
  }
}

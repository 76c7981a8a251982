/** Holds what breaks: a part that cannot be loaded or drawn says so in its place, and the rest of the page goes on. */
import type { ReactNode } from 'react';
import { Component } from 'react';
import { Broken } from './Broken.tsx';
import { forgetFailures } from './lazy-part.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  /** Another one begins anew. */
  readonly of?: string | undefined;
  /** A dialog that failed says so in the corner and can be closed. */
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

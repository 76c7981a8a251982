/** Preloads the target of a link when the pointer or the focus is on it, because it will probably be followed. */
type Prepare = (to: string) => void;

let prepare: Prepare = () => {};

export function onNear(next: Prepare): void {
  prepare = next;
}

export function isNear(to: string): void {
  prepare(to);
}

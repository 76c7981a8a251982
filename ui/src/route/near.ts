/** A link that the pointer or the keyboard is at is likely followed: what it leads to is loaded then. */
type Prepare = (to: string) => void;

let prepare: Prepare = () => {};

export function onNear(next: Prepare): void {
  prepare = next;
}

export function isNear(to: string): void {
  prepare(to);
}

/** Given as `ref` to the field that a screen begins with: what is typed goes there at once. */
export function takeFocus(field: HTMLElement | null): void {
  // A finger would open its keyboard over the screen.
  if (field === null || matchMedia('(pointer: coarse)').matches) return;
  // What has the focus already is not taken away from the person; the page, or the part around the field, is not what a person uses.
  if (document.activeElement?.contains(field) !== false) field.focus();
}

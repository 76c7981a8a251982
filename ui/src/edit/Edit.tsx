export function Edit() {
  return null;
}
export function Create() {
  return null;
}

export function Hosts() {
  return null;
}

export function ClockChanges() {
  return null;
}

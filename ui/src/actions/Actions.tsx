export function Actions(_: {
  verb: string;
  ids: readonly string[];
  matching?: { text: string; count: number };
  onClose: (isDone: boolean) => void;
}) {
  return null;
}

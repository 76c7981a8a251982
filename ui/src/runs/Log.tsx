export function Log(_: { readonly run: unknown; readonly zone: string }) {
  return null;
}

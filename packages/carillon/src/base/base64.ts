/** The most arguments of one call. */
const chunk = 8192;

/** Bytes as base64. Without the `Buffer` of Node, for code that web pages load too. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  }
  return btoa(binary);
}

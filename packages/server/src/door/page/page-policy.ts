/** What the page may do: load its own files and ask its own server; nothing else, and no frame may hold it. */
import { createHash } from 'node:crypto';

/** The style and the first script that the build put into the page are allowed by their content, and no others. */
export function pagePolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes(page, 'script')].join(' '),
    ["style-src 'self'", ...hashes(page, 'style')].join(' '),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function hashes(page: string, tag: 'script' | 'style'): readonly string[] {
  const inside = page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'));
  return [...inside].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

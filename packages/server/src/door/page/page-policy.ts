/** The content security policy of the page: it may load its own files, call its own server, and is not shown in frames. */
import { createHash } from 'node:crypto';

/** The policy allows no inline code but the style and the first script of the build, by the hashes of their content. */
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

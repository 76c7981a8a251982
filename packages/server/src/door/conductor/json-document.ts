/** Reads the body of a request: the first JSON document of the text, as the original does; a byte order mark is skipped. */
import { ServiceError } from 'carillon/internal/base';
import { readJsonBody } from '../json-body.ts';

export function readDocument(text: string, contentType: string | undefined): unknown {
  if (contentType !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'UNSUPPORTED_MEDIA_TYPE',
      message: `Content-Type '${contentType.slice(0, 100)}' is not supported: send application/json`,
    });
  }
  const body = text.replace(/^\uFEFF/, '').trim();
  if (body === '') {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'NO_BODY',
      message: 'the request has no body',
    });
  }
  return readJsonBody(body.slice(0, endOfDocument(body)));
}

/** The length of the first object or list; the whole text when it is neither, or has no end. */
function endOfDocument(text: string): number {
  if (text[0] !== '{' && text[0] !== '[') return text.length;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

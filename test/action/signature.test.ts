import { describe, expect, test } from 'vitest';
import { isSigned, signatureOf } from '../../packages/carillon/src/action/signature.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';

const now = instant(1_767_225_600_999);
const body = '{"hello":"wörld"}';
const signed = { secret: 'whsec_test', body, now };

describe('signatures', () => {
  // printf '1767225600.{"hello":"wörld"}' | openssl dgst -sha256 -hmac whsec_test -hex
  test('are the HMAC-SHA256 of time and body, as OpenSSL computes it', () => {
    expect(signatureOf(signed)).toBe(
      't=1767225600,v1=4d5834ea913b1a3d64ae72a9cbf5ed9d5cf38608a0620e17192567111bd39b0f',
    );
  });

  test('hold only for this secret, this body, and near this time', () => {
    const signature = signatureOf(signed);
    expect(isSigned({ ...signed, signature })).toBe(true);
    expect(isSigned({ ...signed, signature, secret: 'whsec_tesu' })).toBe(false);
    expect(isSigned({ ...signed, signature, body: `${body} ` })).toBe(false);
    expect(isSigned({ ...signed, signature, now: instant(now + 299_000) })).toBe(true);
    expect(isSigned({ ...signed, signature, now: instant(now + 301_000) })).toBe(false);
    expect(isSigned({ ...signed, signature, now: instant(now - 302_000) })).toBe(false);
    expect(isSigned({ ...signed, signature: signature.replace('t=17', 't=18') })).toBe(false);
    for (const bad of [undefined, '', 't=1,v1=', `${signature},v1=0`, signature.slice(0, -1)]) {
      expect(isSigned({ ...signed, signature: bad })).toBe(false);
    }
  });
});

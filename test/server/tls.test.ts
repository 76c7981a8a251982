import { request } from 'node:https';
import { expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';

/** Self-signed for localhost, made for this test, valid for a century, useless elsewhere. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUQJbboOIScn+20Clx3ZHRezljrp4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjA1MDUxMloYDzIxMjYxMDIz
MDUwNTEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQIX0FHr4PVHWeC7uLxVG4GOWbbuonSB91UtsvokhiVzr6ZcbY2eFsO
PVbUXCM7wsjRR4phG+hbGu/9v6grlc/8o28wbTAdBgNVHQ4EFgQUd38MDjliAZ1X
cmSEyDXABasQB8AwHwYDVR0jBBgwFoAUd38MDjliAZ1XcmSEyDXABasQB8AwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgLJh91S5+fl2LRORmhm46Hq3p/Ig51f56VgD5nb9EWnwCIErx
nWduoyFtkRNfMG0XVsmfjFlll9MOzRGK+DNoOvFv
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4p11rrHLw24vWP1Q
LPMO4tyjDe1s0BJEiEV3op9w9zGhRANCAAQIX0FHr4PVHWeC7uLxVG4GOWbbuonS
B91UtsvokhiVzr6ZcbY2eFsOPVbUXCM7wsjRR4phG+hbGu/9v6grlc/8
-----END PRIVATE KEY-----
`;

test('speaks TLS when it has a certificate', async () => {
  await using stage = await DoorStage.open({ tls: { cert, key } });
  expect(stage.server.url).toMatch(/^https:/);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(`${stage.server.url}/api/v1/about`, { ca: cert }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${stage.server.port}/healthz`)).rejects.toThrow();
});

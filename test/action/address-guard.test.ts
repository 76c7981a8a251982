import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../packages/carillon/src/action/address-guard.ts';
import { checkLiteral, resolveChecked } from '../../packages/carillon/src/action/guarded-lookup.ts';

describe('addresses that may not be reached', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['169.254.0.1', 'link-local or metadata'],
    ['169.254.169.254', 'link-local or metadata'],
    ['169.254.170.2', 'link-local or metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['192.0.0.192', 'protocol assignment'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped'],
    ['::FFFF:8.8.8.8', 'IPv4-mapped'],
    ['0:0:0:0:0:ffff:10.0.0.1', 'IPv4-mapped'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::7f00:1', 'IPv4-compatible'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'link-local or metadata'],
    ['64:ff9b::', 'unspecified'],
    ['64:ff9b:1::a00:1', 'IPv4-translated'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fdff:ffff::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['2001::1', 'protocol assignment'],
    ['2001:0:7f00:1::', 'protocol assignment'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['100::1', 'not public'],
    ['4000::1', 'not public'],
    ['', 'not an address'],
    ['localhost', 'not an address'],
    ['127.1', 'not an address'],
    ['0x7f.0.0.1', 'not an address'],
  ])('%s: %s', (address, kind) => {
    expect(refusalOf(address)).toBe(kind);
  });

  test.each([
    ['8.8.8.8'],
    ['1.1.1.1'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['169.253.255.255'],
    ['192.167.255.255'],
    ['223.255.255.255'],
    ['168.63.129.17'],
    ['2606:4700:4700::1111'],
    ['2a00:1450:4001:80b::200e'],
    ['64:ff9b::8.8.8.8'],
  ])('%s may', (address) => {
    expect(refusalOf(address)).toBeUndefined();
  });
});

describe('hosts as people write them in addresses', () => {
  // The URL parser turns every spelling of an IPv4 address into the plain one before anything is checked.
  test.each([
    ['http://2130706433/'],
    ['http://0x7f000001/'],
    ['http://0177.0.0.1/'],
    ['http://127.1/'],
    ['http://0x7f.1/'],
    ['http://127.0.0.1./'],
    ['http://①②⑦.0.0.1/'],
    ['http://0/'],
    ['http://[::1]/'],
    ['http://[::]/'],
    ['http://[::ffff:127.0.0.1]/'],
    ['http://[::ffff:7f00:1]/'],
    ['http://[0:0:0:0:0:0:0:1]/'],
    ['http://[64:ff9b::10.0.0.1]/'],
    ['http://[fd00:ec2::254]/'],
    ['http://3232235521/'],
    ['http://0xa9fea9fe/'],
  ])('%s is refused', (url) => {
    expect(() => checkLiteral(new URL(url).hostname)).toThrow(/not on the public internet/);
  });

  test.each([['http://8.8.8.8/'], ['http://134744072/'], ['http://example.com/'], ['http://localhost/']])(
    '%s is no forbidden address itself',
    (url) => {
      expect(() => checkLiteral(new URL(url).hostname)).not.toThrow();
    },
  );

  test('a name is refused when any of its addresses is', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(resolveChecked('mixed.example', resolve)).rejects.toThrow(
      "'mixed.example' leads to 10.0.0.7, which is a private address and not on the public internet",
    );
    await expect(resolveChecked('none.example', async () => [])).rejects.toThrow(
      "'none.example' has no address",
    );
  });
});

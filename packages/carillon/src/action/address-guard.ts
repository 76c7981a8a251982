/**
 * Which addresses an HTTP action may reach. A schedule's author may be less trusted than the network of this process,
 * so only addresses of the public internet are allowed: IPv4 without the special blocks of IANA's registry, IPv6 only
 * inside global unicast and without the blocks that map to IPv4 or are not routed.
 */
import { BlockList, isIP } from 'node:net';

type Block = readonly [kind: string, network: string, prefix: number];

const blocks4: readonly Block[] = [
  ['unspecified', '0.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['carrier-grade NAT', '100.64.0.0', 10],
  ['loopback', '127.0.0.0', 8],
  ['link-local or metadata', '169.254.0.0', 16],
  ['private', '172.16.0.0', 12],
  // The address of Azure's metadata and agent endpoint is a public one.
  ['metadata', '168.63.129.16', 32],
  ['protocol assignment', '192.0.0.0', 24],
  ['documentation', '192.0.2.0', 24],
  ['6to4 relay', '192.88.99.0', 24],
  ['private', '192.168.0.0', 16],
  ['benchmarking', '198.18.0.0', 15],
  ['documentation', '198.51.100.0', 24],
  ['documentation', '203.0.113.0', 24],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
];

/** The most specific block first. An address outside 2000::/3 and outside these blocks is not public. */
const blocks6: readonly Block[] = [
  ['unspecified', '::', 128],
  ['loopback', '::1', 128],
  ['IPv4-mapped', '::ffff:0:0', 96],
  ['IPv4-compatible', '::', 96],
  ['IPv4-translated', '64:ff9b:1::', 48],
  ['unique local', 'fc00::', 7],
  ['link-local', 'fe80::', 10],
  ['site-local', 'fec0::', 10],
  ['multicast', 'ff00::', 8],
  ['protocol assignment', '2001::', 23],
  ['documentation', '2001:db8::', 32],
  ['6to4', '2002::', 16],
  ['documentation', '3fff::', 20],
];

interface Rule {
  readonly kind: string;
  readonly list: BlockList;
}

function rules(blocks: readonly Block[], type: 'ipv4' | 'ipv6'): readonly Rule[] {
  return blocks.map(([kind, network, prefix]) => {
    const list = new BlockList();
    list.addSubnet(network, prefix, type);
    return { kind, list };
  });
}

const rules4 = rules(blocks4, 'ipv4');
const rules6 = rules(blocks6, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
/** Addresses by which networks without IPv4 reach it (NAT64): the embedded IPv4 address decides. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** Why the address is refused; undefined when it is allowed. A text that is not an address is refused. */
export function refusalOf(address: string): string | undefined {
  switch (isIP(address)) {
    case 4:
      return rules4.find(({ list }) => list.check(address, 'ipv4'))?.kind;
    case 6: {
      // A zone index is only valid for link-local addresses.
      if (address.includes('%')) return 'link-local';
      if (translated.check(address, 'ipv6')) return refusalOf(embedded4(address));
      const kind = rules6.find(({ list }) => list.check(address, 'ipv6'))?.kind;
      return kind ?? (global6.check(address, 'ipv6') ? undefined : 'not public');
    }
    default:
      return 'not an address';
  }
}

/** The IPv4 address in the last 32 bits, in dotted form. */
function embedded4(address: string): string {
  // The URL parser normalises every spelling of the address to hexadecimal groups.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

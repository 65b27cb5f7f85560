import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { HandoffError } from '../../core/errors.ts';

/** Returns the address of a request's client; of IPv6 its network, because one client has all of a /64. */
export type ClientAddress = (incoming: IncomingMessage) => string;

/**
 * Reads clients' addresses behind proxies. Anybody can send `X-Forwarded-For`, so it counts only as far as the
 * named proxies wrote it: from its end to the first address that is none of them.
 *
 * @param proxies - as `10.0.0.7` or `10.0.0.0/8`.
 * @throws HandoffError `invalid_input` for what is neither address nor network.
 */
export function openClientAddress(proxies: readonly string[]): ClientAddress {
  const known = new BlockList();
  for (const text of proxies) addProxy(known, text);
  const isProxy = (address: string) => known.check(address, familyOf(address));
  return ({ socket, headersDistinct }) => {
    let client = plain(socket.remoteAddress ?? '') ?? '::';
    const passed = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
    while (passed.length > 0 && isProxy(client)) {
      const before = plain(passed.pop() ?? '');
      // A proxy writes only addresses: at any other text the proxy itself is the last known address.
      if (before === undefined) break;
      client = before;
    }
    return networkOf(client);
  };
}

function addProxy(known: BlockList, text: string): void {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const family = isIP(address);
  const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
  if (family !== 0 && bits === undefined) known.addAddress(address, familyOf(address));
  else if (family !== 0 && isNetwork && rest.length === 0) known.addSubnet(address, Number(bits), familyOf(address));
  else {
    throw new HandoffError('invalid_input', `"${text}" is not the address of a proxy.`, {
      alternatives: ['Write it as 127.0.0.1, 10.0.0.0/8 or fd00::/8: baton studio --proxy 127.0.0.1'],
    });
  }
}

/** An address without its port, zone and IPv4-in-IPv6 form, or undefined for any other text. */
function plain(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}

import type { Socket } from 'node:net';
import { isHost, network, ProxyTrust } from './peer.js';

const socket = (remoteAddress?: string) => ({ remoteAddress }) as Socket;

describe('ProxyTrust', () => {
  const trust = new ProxyTrust(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
  const client = (remote: string, forwardedFor?: string) =>
    trust.clientAddress(trust.peer(socket(remote)), forwardedFor);

  it.each([
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '203.0.113.9, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['10.1.2.3', 'forged, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '198.51.100.1, not an address', '10.1.2.3'],
    ['10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['2001:db8::1', '2001:db9::1', '2001:db9::1'],
    ['192.0.2.8', '198.51.100.1', '192.0.2.8'],
    ['11.0.0.1', '127.0.0.1', '11.0.0.1'],
  ])('%s forwarding for %s is %s', (remote, forwardedFor, expected) => {
    expect(client(remote, forwardedFor)).toBe(expected);
  });

  it('trusts nobody unless told', () => {
    const nobody = new ProxyTrust([]);
    expect(nobody.peer(socket('127.0.0.1'))).toEqual({
      address: '127.0.0.1',
      trusted: false,
      network: '127.0.0.0/24',
    });
    expect(nobody.peer(socket())).toEqual({ address: '', trusted: false, network: '' });
  });

  it('looks at a connection once', () => {
    const connection = socket('10.1.2.3');
    expect(trust.peer(connection)).toBe(trust.peer(connection));
  });
});

it.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['2001:db8:1:2::', '2001:db8:1::/48'],
  ['not an address', ''],
  ['', ''],
])('the log keeps of %s only %s', (address, kept) => {
  expect(network(address)).toBe(kept);
});

it.each([
  ['example.org', true],
  ['example.org:8080', true],
  ['EXAMPLE_1.org.', true],
  ['127.0.0.1:3000', true],
  ['[::1]:3000', true],
  ['[2001:db8::1]', true],
  ['', false],
  ['.example.org', false],
  ['example.org:', false],
  ['example.org:123456', false],
  ['exa mple.org', false],
  ['example.org/path', false],
  ['user@example.org', false],
  ['"><script>', false],
  ['[::1', false],
  ['é.example.org', false],
  ['a'.repeat(254), false],
])('%s is a host: %s', (host, expected) => {
  expect(isHost(host)).toBe(expected);
});

import type { LookupAddress } from 'node:dns';
import { OutgoingFence, type Resolver } from './outgoing-fence.js';

const none = new OutgoingFence([]);

/** What a lookup of a connection finds, of the answers of a name server. */
function lookedUp(addresses: readonly string[], allowed: readonly string[] = [], family = 0) {
  const found = addresses.map((address): LookupAddress => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  const resolve: Resolver = (_, callback) => callback(null, found);
  return new Promise((done) =>
    new OutgoingFence(allowed, resolve).lookup('example.org', { all: true, family }, (error, result) =>
      done(error === null ? (result as LookupAddress[]).map(({ address }) => address) : error.name),
    ),
  );
}

describe('the fence of outgoing requests', () => {
  it.each([
    ['this host', '0.0.0.0', '0.1.2.3', '[::]'],
    ['loopback', '127.0.0.1', '127.255.0.1', '[::1]'],
    ['link-local', '169.254.0.1', '[fe80::1]'],
    ['metadata services', '169.254.169.254', '100.100.100.200', '168.63.129.16', '[fd00:ec2::254]'],
    ['private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '[fc00::1]', '[fd12::1]'],
    ['shared and reserved ones', '100.64.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '240.0.0.1'],
    ['many at once', '224.0.0.1', '255.255.255.255', '[ff02::1]'],
    [
      'IPv4 within IPv6',
      '[::ffff:127.0.0.1]',
      '[::ffff:a00:1]',
      '[::7f00:1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::a00:1]',
    ],
    ['tunnels', '[2002:7f00:1::]', '[2001:0:1::]'],
    ['other parts of IPv6', '[4000::1]', '[100::1]', '[2001:db8::1]', '[fec0::1]'],
  ])('rejects addresses of %s', (_, ...hosts) => {
    expect(hosts.filter((host) => none.allowsHost(host, false) || none.allowsPeer('a.org', host))).toEqual(
      [],
    );
  });

  it('lets public addresses pass', () => {
    const hosts = ['8.8.8.8', '172.32.0.1', '[2606:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]'];
    expect(hosts.filter((host) => !none.allowsHost(host, false))).toEqual([]);
  });

  it('rejects an address in every notation that an address of the web has', () => {
    const forms = [
      'http://2130706433/',
      'http://0x7f.1/',
      'http://127.1/',
      'http://0177.0.0.1/',
      'http://１２７.0.0.1/',
    ];
    const hosts = forms.map((form) => new URL(form).hostname);
    expect(hosts.filter((host) => none.allowsHost(host, false))).toEqual([]);
  });

  it('connects only to the public ones among the answers of a name server', async () => {
    expect(await lookedUp(['127.0.0.1'])).toBe('FencedOff');
    expect(await lookedUp(['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111'])).toEqual([
      '8.8.8.8',
      '2606:4700::1111',
    ]);
    expect(await lookedUp(['8.8.8.8', '2606:4700::1111'], [], 6)).toEqual(['2606:4700::1111']);
    expect(await lookedUp(['::ffff:127.0.0.1'])).toBe('FencedOff');
    expect(await lookedUp([])).toBe('FencedOff');
  });

  it('lets pass what is allowed: addresses, blocks, names and the loopback', async () => {
    const fence = new OutgoingFence(['10.1.0.0/16', 'fd00::1', 'files.inner', 'loopback']);
    const hosts = ['10.1.2.3', '[fd00::1]', 'FILES.inner.', '127.0.0.1', '[::1]', '[::ffff:10.1.2.3]'];
    expect(hosts.filter((host) => !fence.allowsHost(host, true))).toEqual([]);
    expect(['10.2.0.1', '[fd00::2]'].filter((host) => fence.allowsHost(host, true))).toEqual([]);
    expect(await lookedUp(['10.0.0.1'], ['example.org'])).toEqual(['10.0.0.1']);
    expect(await lookedUp(['10.0.0.1', '10.0.0.2'], ['10.0.0.2'])).toEqual(['10.0.0.2']);
  });

  it('checks the names that a proxy would resolve', () => {
    const names = ['localhost', 'a.localhost.', 'printer.local', 'metadata.google.internal', 'nas.lan'];
    expect(names.filter((name) => none.allowsHost(name, true))).toEqual([]);
    expect(none.allowsHost('example.org', true)).toBe(true);
  });
});

import { basePathOf, underBasePath, withoutBasePath } from './client.js';

describe('the base path', () => {
  it.each([
    [null, ''],
    ['https://prices.example.org', ''],
    ['https://example.org/prices', '/prices'],
    ['https://example.org/food/prices', '/food/prices'],
  ])('of %s is %j', (address, path) => expect(basePathOf(address)).toBe(path));

  it.each([
    ['/prices/api/v1/Market/?page=2', '/api/v1/Market/?page=2'],
    ['/prices', '/'],
    ['/prices/', '/'],
    ['/prices?page=2', '/?page=2'],
    ['/api/v1/Market/', '/api/v1/Market/'],
    ['/pricesandmore', '/pricesandmore'],
    ['*', '*'],
  ])('is removed from %s', (target, rest) => expect(withoutBasePath(target, '/prices')).toBe(rest));

  it('stands before each address of this host in a document, and before no other', () => {
    const document =
      '<a href="/prices/data">d</a><a href="/browse?a=1">/browse</a><a class="x"\nhref="https://example.org/">o</a><a href="#main">m</a>' +
      '<a href="//example.org/">o</a><script src="/explorer/a.js" data-texts="{&quot;a&quot;: &quot;/b&quot;}">' +
      '</script><form action="/desk/logout"></form><meta http-equiv="refresh" content="0; url=/desk/" />';
    expect(underBasePath(document, '/prices')).toBe(
      '<a href="/prices/data">d</a><a href="/prices/browse?a=1">/browse</a><a class="x"\nhref="https://example.org/">o</a><a href="#main">m</a>' +
        '<a href="//example.org/">o</a><script src="/prices/explorer/a.js" data-texts="{&quot;a&quot;: &quot;/b&quot;}">' +
        '</script><form action="/prices/desk/logout"></form>' +
        '<meta http-equiv="refresh" content="0; url=/prices/desk/" />',
    );
  });
});

import { html, jsonLd, nameOf, webAddress } from './html.js';

describe('html', () => {
  it('escapes text in content and attributes', () => {
    const hostile = `<script>alert("1")</script>&'`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(
      '<a title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</a>',
    );
  });

  it('takes templates and lists as they are, and leaves out what is missing', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(
      html`<ul>
        ${items}${null}${undefined}${false}${0}
      </ul>`.text,
    ).toBe('<ul>\n<li>a</li><li>&lt;b&gt;</li>0\n</ul>');
  });

  it('isolates names', () => {
    expect(nameOf('أرز <').text).toBe('<bdi>أرز &lt;</bdi>');
  });

  it('ends no block of JSON-LD early', () => {
    expect(jsonLd({ name: '</script><script>' }).text).toBe(
      '<script type="application/ld+json">{"name":"\\u003c/script>\\u003cscript>"}</script>',
    );
  });

  it('links to web addresses only', () => {
    expect(['https://fao.org/x', 'HTTP://a', 'javascript:alert(1)', '', 'fao.org'].map(webAddress)).toEqual([
      'https://fao.org/x',
      'HTTP://a',
      null,
      null,
      null,
    ]);
  });
});

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

  it('keeps names from turning what stands around them, but where a text is sent back', () => {
    const [override, arabic] = ['a \u202eb\u2066', 'أرز'];
    expect(nameOf(override).text).toBe('<bdi>a b</bdi>');
    expect(html`<p title="${arabic}: 1">${override}, ${arabic}</p>`.text).toBe(
      `<p title="\u2068${arabic}\u2069: 1">a b, \u2068${arabic}\u2069</p>`,
    );
    const [input, area] = [
      html`<input value="${override}" />`,
      html`<textarea rows="3">${arabic}</textarea>`,
    ];
    expect(input.text).toBe(`<input value="${override}" />`);
    expect(area.text).toBe(`<textarea rows="3">${arabic}</textarea>`);
    expect(jsonLd({ name: override }).text).not.toContain('\u202e');
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

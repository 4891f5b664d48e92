import { renderMarkdown } from './markdown.js';

const htmlOf = async (source: string) => (await renderMarkdown(source, () => null)).html.text;

describe('a rendered document', () => {
  it('has its title apart, and the ids of headings that GitHub gives them', async () => {
    const { title, html, sections } = await renderMarkdown(
      '# The `x`\n\n## A b, c\n\n## A b, c\n\n### `d` & é\n',
      () => null,
    );
    expect(title).toBe('The x');
    expect(html.text).toBe(
      '<h2 id="a-b-c">A b, c</h2>\n<h2 id="a-b-c-1">A b, c</h2>\n<h3 id="d--é"><code>d</code> &amp; é</h3>\n',
    );
    expect(sections).toEqual([
      { id: 'a-b-c', text: 'A b, c' },
      { id: 'a-b-c-1', text: 'A b, c' },
    ]);
  });

  it('shows HTML as text, and has no link that runs a script', async () => {
    expect(await htmlOf('<script>alert(1)</script>\n')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;\n');
    expect(await htmlOf('a <b onclick="x">b</b>\n')).toBe(
      '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>\n',
    );
    expect(await htmlOf('[a](javascript:alert(1)) [b](//example.org) ![c](x.png)\n')).toBe('<p>a b c</p>\n');
    expect(await htmlOf('[a](https://example.org/?a=1&b="2")\n')).toBe(
      '<p><a href="https://example.org/?a=1&amp;b=&quot;2&quot;">a</a></p>\n',
    );
  });

  it('has tables that scroll, without headings that say nothing', async () => {
    expect(await htmlOf('| | a |\n|---|---|\n| b | `c` |\n')).toBe(
      '<div class="scroll" tabindex="0"><table><thead><tr><td></td><th scope="col">a</th></tr></thead>' +
        '<tbody><tr><td>b</td><td><code>c</code></td></tr></tbody></table></div>\n',
    );
  });

  it('has blocks of code as they are', async () => {
    expect(await htmlOf("```sh\ncurl 'x?a=<b>'\n```\n")).toBe(
      '<pre><code class="language-sh">curl &#39;x?a=&lt;b&gt;&#39;\n</code></pre>\n',
    );
  });
});

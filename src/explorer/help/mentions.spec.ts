import { Html } from '../../web/html.js';
import { withTermLinks } from './mentions.js';

const linked = (text: string, own?: string) => withTermLinks(new Html(text), own).text;

describe('the first mention of a term', () => {
  it('leads to its explanation, and spells an abbreviation out', () => {
    expect(linked('<p>High by IFPA: the IFPA of a median, one median.</p>')).toBe(
      '<p>High by <a class="term" href="/help/ifpa">IFPA <span>(indicator of food price anomalies)</span></a>: ' +
        'the IFPA of a <a class="term" href="/help/median">median</a>, one median.</p>',
    );
  });

  it('is linked alone in the heading of a column', () => {
    expect(linked('<thead><tr><th scope="col">ALPS alert</th></tr></thead>')).toBe(
      '<thead><tr><th scope="col"><a class="term" href="/help/alps">ALPS</a> alert</th></tr></thead>',
    );
  });

  it.each([
    '<h1>Median</h1>',
    '<a href="/x">Median</a>',
    '<tbody><tr><td>IFPA</td></tr></tbody>',
    '<bdi>IFPA market</bdi>',
    '<svg aria-label="IFPA"><title>IFPA</title><text>IFPA</text></svg>',
    '<label>Frequency<select><option>In real terms</option></select></label>',
    '<pre><code>ALPS</code></pre>',
    '<p title="IFPA">XIFPA, medians</p>',
  ])('is not in %s', (text) => {
    expect(linked(text)).toBe(text);
  });

  it('comes after what is passed over', () => {
    expect(linked('<h2>Median</h2><p>Median</p>')).toBe(
      '<h2>Median</h2><p><a class="term" href="/help/median">Median</a></p>',
    );
  });

  it('is no link on the page that explains it', () => {
    expect(linked('<p>median</p>', 'median')).toBe('<p>median</p>');
  });

  it('takes the longer of two words, and words with signs', () => {
    expect(linked('<p>consumer price index, US$ per kg</p>')).toBe(
      '<p><a class="term" href="/help/consumer-price-index">consumer price index</a>, ' +
        '<a class="term" href="/help/us-dollars">US$</a> <a class="term" href="/help/per-kilogram">per kg</a></p>',
    );
  });
});

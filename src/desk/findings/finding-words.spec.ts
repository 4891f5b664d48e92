import { RULE_NAMES } from '../../quality/rules/rule-table.js';
import { ruleMeaning } from '../../explorer/layout/finding-words.js';
import { detailInWords, FindingCountries } from './finding-words.js';

const country = (iso3_country_code: string, country_name: string, series: number) => ({
  iso3_country_code,
  country_name,
  series,
  last_price_date: null,
});
const found = (iso3_country_code: string | null, count: number) =>
  ({ iso3_country_code, rule: 'spike', state: 'open', count }) as const;

describe('findings in words', () => {
  it('have a meaning for every rule, and no two the same', () => {
    const meanings = RULE_NAMES.map(ruleMeaning);
    expect(meanings.filter((meaning) => !/^[A-Z][^_`]+$/.test(meaning))).toEqual([]);
    expect(new Set(meanings).size).toBe(RULE_NAMES.length);
  });

  it('show a rule that another release has stored by its name', () =>
    expect(ruleMeaning('rule_of_tomorrow')).toBe('rule_of_tomorrow'));

  it('lead to the joins that their texts name as calls of the API', () => {
    const [one, other] = [1, 2].map((number) => `11111111-0000-4000-8000-00000000000${number}`);
    const join = (body: string) => `POST PriceSerie/${one}/merge/ ${body} would join them.`;
    const words = (detail: string) => detailInWords({ detail, scope: 'series', members: null }).toString();
    const link = (more = '') =>
      `<a href="/desk/series/${one}/join?into=${other}${more}">See what joining them would change</a>.`;
    expect(words(`Rice <b>. ${join(`{"into":"${other}"}`)}`)).toBe(`<bdi>Rice &lt;b&gt;. </bdi>${link()}`);
    expect(words(`${join(`{"into":"${other}","factor":FACTOR,"relabel":true}`)} 2 more.`)).toBe(
      `${link('&amp;relabel=true')}<bdi> 2 more.</bdi>`,
    );
    expect(words('A price.')).toBe('<bdi>A price.</bdi>');
  });

  it('lead to the page of the harvest that they are about', () => {
    const of = (name: string, detail: string) =>
      detailInWords({ detail, scope: 'harvest', members: [{ table: 'Harvest', id: 3, name }] }).toString();
    expect(of('the', 'The source of the harvest the is late.')).toBe(
      '<bdi>The source of the harvest </bdi><a href="/desk/harvests/3">the</a><bdi> is late.</bdi>',
    );
    expect(of('other', 'A file.')).toBe('<bdi>A file.</bdi> <a href="/desk/harvests/3">other</a>');
    // Of an earlier release.
    expect(detailInWords({ detail: 'A file.', scope: 'harvest', members: null }).toString()).toBe(
      '<bdi>A file.</bdi>',
    );
  });

  it('name countries with prices, those with most series first, and no others', () => {
    const countries = new FindingCountries([
      country('AFG', 'Afghanistan', 2),
      country('KEN', 'Kenya', 30),
      country('SOM', 'Somalia', 40),
      country('IPS', '', 3),
    ]);
    const counts = [found('AFG', 9), found('KEN', 1), found('KEN', 2), found('IPS', 4), found(null, 5)];
    expect(countries.counted([...counts, found('YEM', 7)])).toEqual([
      { value: 'KEN', name: 'Kenya', count: 3 },
      { value: 'IPS', name: 'IPS', count: 4 },
      { value: 'AFG', name: 'Afghanistan', count: 9 },
    ]);
    // Their findings are listed all the same.
    expect(['YEM', 'IPS', 'XYZ'].map((code) => countries.nameOf(code))).toEqual(['Yemen', 'IPS', 'XYZ']);
  });
});

import { chunksOf, collect } from '../../../test/support/import-input.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { importFormats } from './index.js';
import { textViolation } from './values.js';

/** Combining marks out of order, which normalization has to sort. */
const MARKS = 'a' + '\u0316\u0301'.repeat(30_000);

const fpma = (fields: object) =>
  JSON.stringify({
    uuid: '3beeeab4-2bad-4c56-a50f-16eeadab281b',
    iso3_country_code: 'ARM',
    market_name: 'Yerevan',
    commodity_name: 'Wheat',
    price_type: 'Retail',
    source_name: 'Statistics',
    measure_unit_label: 'KG',
    currency: 'AMD',
    ...fields,
  });
const PRICES =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value,comment\n';
const HDX =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price\n';
const VAM =
  'adm0_name,adm1_name,mkt_name,cm_name,cur_name,pt_name,um_name,mp_month,mp_year,mp_price,mp_commoditysource\n';

describe('a text much too long for its column', () => {
  it.each([
    ['prices', `${PRICES}KEN,Maize,Retail,${MARKS},S,KES,KG,2021-01-01,monthly,5,`, 'market', 'too_long'],
    ['prices', `${PRICES}KEN,Maize,Retail,M,S,KES,KG,2021-01-01,monthly,5,${MARKS}`, 'comment', 'too_long'],
    ['wfp', `${HDX}2021-01-15,A,B,M,,,food,${MARKS},KG,actual,Retail,KES,5`, 'commodity', 'too_long'],
    ['wfp', `${VAM}Kenya,A,M,Maize,KES,Retail,KG,1,2015,5,${MARKS}`, 'mp_commoditysource', 'too_long'],
    ['wfp', `${VAM}${MARKS},A,M,Maize,KES,Retail,KG,1,2015,5,`, 'adm0_name', 'unknown_country'],
    ['Commodity', `name\n${MARKS}`, 'name', 'too_long'],
    ['PriceType', `name\n${MARKS}`, 'name', 'too_long'],
    ['fpma', fpma({ commodity_name: MARKS }), 'commodity_name', 'too_long'],
    ['fpma', fpma({ currency: MARKS }), 'currency', 'invalid_currency'],
    ['fpma', fpma({ uuid: MARKS }), 'uuid', 'invalid_uuid'],
  ])('is rejected without normalizing it: %s %#', async (format, text, field, reason) => {
    const country = text.startsWith(HDX) ? 'KEN' : undefined;
    const { rows, rejects } = await collect(importFormats[format]!(chunksOf(text), { country }));
    expect(rows).toEqual([]);
    expect(rejects).toEqual([expect.objectContaining({ field, reason })]);
  });

  it('is accepted if it fits after normalization', () => {
    const text = '\u0390'.repeat(50).normalize('NFD');
    expect(text).toHaveLength(150);
    const normalized = normalizeText(` ${text} `, 50);
    expect(normalized).toBe('\u0390'.repeat(50));
    expect(textViolation('name', normalized, 50)).toBeNull();
  });

  it('has the same violation as any other text that is too long', () => {
    for (const length of [51, 200, 201, 100_000])
      expect(textViolation('name', normalizeText('é'.repeat(length), 50), 50)).toEqual({
        field: 'name',
        reason: 'too_long',
        detail: 'name must be at most 50 characters long.',
      });
  });
});

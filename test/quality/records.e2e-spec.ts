import type { CreatedRecord } from '../../src/import/pipeline/created-records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';

interface Finding {
  id: number;
  rule: string;
  state: string;
  members: unknown;
  detail: string;
}

describe('findings about records', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const list = async (rule: string) => {
    const { body } = await service.http().get(`/api/v1/Finding/?rule=${rule}`).expect(200);
    return (body as { results: Finding[] }).results;
  };
  /** Imports a price of each of some series, as `UGA,Maize,RETAIL,Owino,Ministry,UGX,Kg`. */
  const upload = async (...series: string[]) => {
    const rows = series.map((one) => `${one},2024-01-01,monthly,360`);
    const { body } = await service
      .http()
      .post('/api/v1/Import/?format=prices')
      .set(admin)
      .set('Content-Type', 'text/csv')
      .send([HEADER, ...rows].join('\n'))
      .expect(200);
    return body as { findings: unknown; created_records: CreatedRecord[]; first_findings: Finding[] };
  };
  const idOf = async (table: string, name: string) => {
    const { body } = await service.http().get(`/api/v1/${table}/?page_size=100`).expect(200);
    return (body as { results: { id: number; name: string }[] }).results.find((one) => one.name === name)!.id;
  };

  it('tell of markets of one country with near names, what uses them, and how to merge them', async () => {
    await upload('UGA,Maize,RETAIL,Owino,Ministry,UGX,Kg', 'UGA,Rice,RETAIL,Owino,Ministry,UGX,Kg');
    expect(await list('near_duplicate')).toEqual([]);
    const report = await upload(
      'UGA,Maize,RETAIL,Owinno,Ministry,UGX,Kg',
      'KEN,Maize,RETAIL,Owinno,Ministry,KES,Kg',
    );
    expect(report.findings).toEqual({ near_duplicate: 1 });
    const ids = { owino: await idOf('Market', 'Owino'), owinno: await idOf('Market', 'Owinno') };
    const [finding, ...others] = await list('near_duplicate');
    expect(others).toEqual([]);
    const detail = (first: number, second: number) =>
      `The markets Owino (id ${ids.owino}, ${first} series) and Owinno (id ${ids.owinno}, ${second} series)` +
      ` may be the same: POST /api/v1/Market/${ids.owinno}/merge/ with {"into":${ids.owino}} would make them one.`;
    expect(finding).toMatchObject({
      severity: 'look',
      state: 'open',
      scope: 'group',
      iso3_country_code: 'UGA',
      uuid: null,
      members: [
        { table: 'Market', id: ids.owino, name: 'Owino' },
        { table: 'Market', id: ids.owinno, name: 'Owinno' },
      ],
      detail: detail(2, 1),
    });
    // A further series of a record is told as well, if no record changes.
    await upload('UGA,Rice,WHOLESALE,Owino,Ministry,UGX,Kg');
    expect((await list('near_duplicate')).map((one) => one.detail)).toEqual([detail(3, 1)]);
    const merge = service.http().post(`/api/v1/Market/${ids.owinno}/merge/`).set(admin);
    await merge.send({ into: ids.owino }).expect(200);
    expect(await list('near_duplicate')).toMatchObject([{ id: finding!.id, state: 'gone' }]);
    expect((await upload('UGA,Maize,RETAIL,Owinno,Ministry,UGX,Kg')).findings).toEqual({});
  });

  it('end when a record gets another name, and open again with it', async () => {
    await upload(
      'UGA,White maize,RETAIL,Lira,Ministry,UGX,Kg',
      'UGA,White-maize,RETAIL,Lira,Ministry,UGX,Kg',
    );
    const id = await idOf('Commodity', 'White-maize');
    const states = async () => (await list('near_duplicate')).map(({ state }) => state);
    const rename = (commodity_name: string) =>
      service.http().patch(`/api/v1/Commodity/${id}/`).set(admin).send({ commodity_name }).expect(200);
    expect(await states()).toEqual(['open']);
    await rename('Sorghum');
    expect(await states()).toEqual(['gone']);
    await rename('WHITE MAIZE');
    expect(await states()).toEqual(['open']);
  });

  it('tell of units without a factor and price types that imports have made', async () => {
    const report = await upload(
      'UGA,Maize,FARM GATE,Lira,Ministry,UGX,Heap',
      'UGA,Maize,RETAIL,Lira,Ministry,UGX,50 kg',
    );
    expect(report.findings).toEqual({ unknown_type: 1, unknown_unit: 1 });
    const [heap, type] = [await idOf('MeasureUnit', 'Heap'), await idOf('PriceType', 'FARM GATE')];
    expect(await list('unknown_unit')).toMatchObject([
      {
        severity: 'look',
        state: 'open',
        members: [{ table: 'MeasureUnit', id: heap, name: 'Heap' }],
        detail:
          'An import made the unit Heap without a factor to kilograms or litres:' +
          ` PATCH /api/v1/MeasureUnit/${heap}/ sets it, POST /api/v1/MeasureUnit/${heap}/merge/ merges it.`,
      },
    ]);
    expect(await list('unknown_type')).toMatchObject([
      {
        state: 'open',
        members: [{ table: 'PriceType', id: type, name: 'FARM GATE' }],
        detail: `An import made the price type FARM GATE: POST /api/v1/PriceType/${type}/merge/ merges it into another one.`,
      },
    ]);
    await service
      .http()
      .patch(`/api/v1/MeasureUnit/${heap}/`)
      .set(admin)
      .send({ dimension: 'mass', conversion_factor: 0.5 })
      .expect(200);
    expect(await list('unknown_unit')).toMatchObject([{ state: 'gone' }]);
    const merge = service.http().post(`/api/v1/PriceType/${type}/merge/`).set(admin);
    await merge.send({ into: 12 }).expect(200);
    expect(await list('unknown_type')).toMatchObject([{ state: 'gone' }]);
  });

  it('leave units and price types alone that maintainers have made', async () => {
    const post = (table: string, body: object) =>
      service.http().post(`/api/v1/${table}/`).set(admin).send(body).expect(201);
    await post('MeasureUnit', { measure_unit_name: 'Heap' });
    await post('PriceType', { price_type_name: 'FARM GATE' });
    const report = await upload('UGA,Maize,FARM GATE,Lira,Ministry,UGX,Heap');
    expect(report.findings).toEqual({});
  });
});

import { followGuide } from './follow-guide.js';

const copy = followGuide('adding-an-import-format.md');
afterAll(() => copy.remove());

// The test of the guide.
await copy.load('src/import/formats/fews.spec.ts');

const text = `country,market,admin_1,product,period_date,price_type,unit,currency,value
Zimbabwe,"Harare, Mbare",Harare,Sugar,2019-01-31,Retail,2_kg,USD,3.21
Zimbabwe,"Harare, Mbare",Harare,Sugar,2019-02-28,Retail,2_kg,USD,3.3
Zimbabwe,"Harare, Mbare",Harare,Maize,2019-01-31,Retail,2_kg,USD,none
`;

describe('the import format of the guide', () => {
  it('is stored, and stored unchanged when it is imported again', async () => {
    const { openImports, reportCounts } =
      await copy.load<typeof import('../support/imports.js')>('test/support/imports.ts');
    const imports = await openImports();
    const counts = {
      read: 3,
      changed: 0,
      skipped: {},
      rejected: { invalid_number: 1 },
      rounded: 0,
      hs_codes_kept: 0,
    };
    const created = { Commodity: 1, Market: 1, MeasureUnit: 1, Source: 1 };
    expect(reportCounts(await imports.importText('fews', text))).toEqual({
      ...counts,
      new: 2,
      unchanged: 0,
      series: 1,
      records: created,
    });
    expect(reportCounts(await imports.importText('fews', text))).toEqual({
      ...counts,
      new: 0,
      unchanged: 2,
      series: 0,
      records: {},
    });
    await imports.close();
  });

  it('is a format of the command and the route', async () => {
    const { startTestApp } =
      await copy.load<typeof import('../support/test-app.js')>('test/support/test-app.ts');
    const service = await startTestApp();
    const { body } = await service
      .http()
      .post('/api/v1/Import/?format=fews&dry_run=true')
      .set(await service.authHeader())
      .set('Content-Type', 'text/csv')
      .send(text)
      .expect(200);
    expect(body).toMatchObject({ format: 'fews', read: 3, new: 2, rejected: 1, series: 1 });
    await service.close();
  });
});

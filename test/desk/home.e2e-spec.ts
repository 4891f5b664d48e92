import { randomUUID } from 'node:crypto';
import { tableRows } from '../explorer/pages.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DeskBrowser } from './desk.js';

const HOSTILE = '<script>alert(1)</script>"\'&';

describe('the first page of the desk', () => {
  let service: TestApp;
  let desk: DeskBrowser;
  beforeAll(async () => {
    service = await startTestApp();
    desk = await new DeskBrowser(service).login();
  });
  afterAll(() => service.close());

  it('says so where nothing is to do', async () => {
    const html = await desk.page('/desk/');
    expect(html).toContain('There are no open findings.');
    expect(html).toContain('No import or revert has failed in the last 30 days.');
    expect(html).toContain('Every source has a price of the last 90 days.');
    expect(html).not.toContain('Sources without a licence');
    expect(html).toContain('<a href="/desk/" aria-current="page">Home</a>');
  });

  it('counts open findings, and lists stale sources and failed imports', async () => {
    const months = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
    await storeSeries(service.unitOfWork, [
      {
        uuid: randomUUID(),
        source: { name: HOSTILE },
        points: { monthly: months.map((date) => [date, date === '2024-04-01' ? 3600 : 360] as const) },
      },
      {
        uuid: randomUUID(),
        source: { name: 'New', license: 'CC BY 4.0' },
        points: { monthly: [['2026-09-01', 5]] },
      },
      { uuid: randomUUID(), source: { name: 'Empty' } },
    ]);
    const failed = (state: string, started_at: string) =>
      service.unitOfWork.run((transaction) =>
        transaction.execute(
          'INSERT INTO change_set (kind, state, started_at, input, format, digest, source, reason) ' +
            "VALUES ('import', ?, ?, ?, '', '', '', '')",
          [state, started_at, HOSTILE],
        ),
      );
    await failed('failed', '2026-11-20T08:30:00.000Z');
    await failed('failed', '2026-09-20T08:30:00.000Z');
    const html = await desk.page('/desk/');
    expect(tableRows(html, 'By rule')).toEqual([
      ['A price ten times its neighbours, or a tenth (also a hundred, a hundredth) decimal_slip', '1'],
      ['A price many times its neighbours, or a small part of them spike', '1'],
    ]);
    expect(tableRows(html, 'By country')).toEqual([['Kenya', '2']]);
    expect(html).toContain('Go through 2 findings');
    expect(tableRows(html, 'Failed imports')).toEqual([
      [
        expect.stringMatching(/^\d+$/),
        '2026-11-20 08:30',
        'import',
        'failed',
        '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;',
      ],
    ]);
    expect(tableRows(html, 'Stale sources')).toEqual([
      ['&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;', '2024-07-01', '1'],
    ]);
    expect(tableRows(html, 'Sources without a licence')).toEqual([
      ['&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;', '1'],
      ['Empty', '1'],
    ]);
    const [, record] = /Sources without a licence[\s\S]*?<a href="(\/desk\/tables\/Source\/\d+)">/.exec(
      html,
    )!;
    expect(await desk.page(record!)).toContain('alert(1)');
  });
});

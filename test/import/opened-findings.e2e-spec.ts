import { changeSetCounts, reportText } from '../../src/import/pipeline/import-report.js';
import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { openImports } from '../support/imports.js';
import { followed } from '../support/followed.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);

/** Prices of 360 but in April. */
const fileOf = (market: string, april: number) =>
  [
    HEADER,
    ...MONTHS.map((date) => {
      const price = date === '2024-04-01' ? april : 360;
      return `UGA,Maize,RETAIL,${market},Ministry,UGX,Kg,${date},monthly,${price}`;
    }),
  ].join('\n');

const uuidOf = (market: string) =>
  seriesUuid(['UGA', '', '', market, 'Maize', 'RETAIL', 'Ministry', 'Kg', 'UGX']);

const findings = (market: string, ids: [number, number] | [null, null]) => [
  {
    id: ids[0],
    rule: 'spike',
    severity: 'error',
    uuid: ids[0] === null ? expect.any(String) : uuidOf(market),
    date: '2024-04-01',
    value: 3600,
    expected: 360,
    detail: '3600 is 10 times the median 360 of the 6 prices around it.',
  },
  {
    id: ids[1],
    rule: 'decimal_slip',
    severity: 'error',
    uuid: ids[1] === null ? expect.any(String) : uuidOf(market),
    date: '2024-04-01',
    value: 3600,
    expected: 360,
    detail:
      '3600 is 10 times the median 360 of the 6 prices around it; 360 would fit: the decimal point may have slipped by 1.',
  },
];

describe('the report of an import', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeEach(async () => {
    imports = await openImports();
    followed(imports.unitOfWork);
  });
  afterEach(() => imports?.close());

  const counts = async () => {
    const sql = "SELECT counts FROM change_set WHERE kind = 'import' ORDER BY id";
    const rows = await imports.rows<{ counts: string }>(sql);
    return rows.map((row) => (JSON.parse(row.counts) as { findings: unknown }).findings);
  };

  describe.each(['importText', 'importAtomically'] as const)('of %s', (way) => {
    const run = (text: string, dryRun = false) => imports[way]('prices', text, { dryRun });

    it('has the findings that it has opened, and its change set their numbers', async () => {
      const first = await run(fileOf('Lira', 3600));
      expect(first.findings).toEqual({ decimal_slip: 1, spike: 1 });
      expect(first.first_findings).toEqual(findings('Lira', [1, 2]));
      const again = await run(fileOf('Lira', 3600));
      expect([again.findings, again.first_findings]).toEqual([{}, []]);
      const corrected = await run(fileOf('Lira', 361));
      expect(corrected.findings).toEqual({});
      const back = await run(fileOf('Lira', 3600));
      expect(back.first_findings).toEqual(findings('Lira', [1, 2]));
      expect(await counts()).toEqual([{ decimal_slip: 1, spike: 1 }, {}, {}, { decimal_slip: 1, spike: 1 }]);
    });

    it('has them in a dry run, which stores none', async () => {
      const before = await imports.rows('SELECT revision, checked_revision FROM data_revision');
      const tried = await run(fileOf('Lira', 3600), true);
      expect(tried.findings).toEqual({ decimal_slip: 1, spike: 1 });
      expect(tried.first_findings).toEqual(findings('Lira', [null, null]));
      expect(tried).toMatchObject({ change_set_id: null, new: 7, series: 1 });
      expect(await imports.rows('SELECT 1 FROM finding')).toEqual([]);
      expect(await imports.rows('SELECT revision, checked_revision FROM data_revision')).toEqual(before);
      await run(fileOf('Lira', 3600));
      const same = await run(fileOf('Lira', 3600), true);
      expect([same.findings, same.first_findings]).toEqual([{}, []]);
      await run(fileOf('Lira', 361));
      expect((await run(fileOf('Lira', 3600), true)).findings).toEqual({ decimal_slip: 1, spike: 1 });
    });

    it('names the records that it makes, with near ones of the same country', async () => {
      await run(fileOf('Owino', 360));
      await run(fileOf('Owinno', 360).replaceAll('UGA', 'KEN'));
      for (const dryRun of [true, false]) {
        const report = await run(fileOf('Owinno', 360).replaceAll('RETAIL', 'FARM GATE'), dryRun);
        expect(report.created_records).toEqual([
          { table: 'Market', name: 'Owinno', near: ['Owino'] },
          { table: 'PriceType', name: 'FARM GATE', near: [] },
        ]);
        expect(reportText(report)).toContain(
          '\nCreated:\n  Market: Owinno, near: Owino\n  PriceType: FARM GATE',
        );
      }
      const again = await run(fileOf('Owinno', 360).replaceAll('RETAIL', 'FARM GATE'));
      expect(again.created_records).toEqual([]);
      expect(reportText(again)).not.toContain('Created:');
    });
  });

  it('has the numbers of findings in the text of the command', async () => {
    const report = await imports.importText('prices', fileOf('Lira', 3600));
    expect(reportText(report)).toMatch(/^ {2}findings +2 {2}decimal_slip 1, spike 1$/m);
    const { uuid } = report.first_findings[0]!;
    expect(reportText(report)).toContain(
      [
        '',
        'Findings:',
        `  spike, ${uuid}, 2024-04-01: 3600 is 10 times the median 360 of the 6 prices around it.`,
        `  decimal_slip, ${uuid}, 2024-04-01: 3600 is 10 times the median 360 of the 6 prices around it; ` +
          '360 would fit: the decimal point may have slipped by 1.',
        'Created:',
      ].join('\n'),
    );
    const many = Array.from({ length: 14 }, (_, index) => ({
      ...report.first_findings[0]!,
      rule: 'position_outside' as const,
      uuid: null,
      date: null,
      detail: `The market ${index} is elsewhere.`,
    }));
    const text = reportText({ ...report, findings: { position_outside: 1014 }, first_findings: many });
    expect(text).toContain('\n  position_outside: The market 9 is elsewhere.\n  and 1,004 more\n');
    expect(reportText({ ...report, findings: null })).toMatch(
      /^ {2}findings +- {2}not computed: the input is too large to be tried as a whole$/m,
    );
    expect(changeSetCounts(report).findings).toEqual({ decimal_slip: 1, spike: 1 });
  });

  it('has those of all batches, also of series that several batches have', async () => {
    const markets = Array.from({ length: 1500 }, (_, index) => `Market ${index}`);
    const [header] = HEADER.split('\n');
    const rows = MONTHS.flatMap((date) =>
      markets.map((market, index) => {
        const price = date === '2024-04-01' && index % 500 === 7 ? 3600 : 360;
        return `UGA,Maize,RETAIL,${market},Ministry,UGX,Kg,${date},monthly,${price}`;
      }),
    );
    const text = [header, ...rows].join('\n');
    const tried = await imports.importText('prices', text, { dryRun: true });
    const stored = await imports.importText('prices', text);
    expect(stored).toMatchObject({ new: 10_500, findings: { decimal_slip: 3, spike: 3 } });
    expect(tried).toMatchObject({ new: 10_500, findings: { decimal_slip: 3, spike: 3 } });
  });

  it('has no findings in a dry run that one transaction cannot hold', async () => {
    const day = Date.parse('1990-01-01');
    const dates = Array.from({ length: 9000 }, (_, index) =>
      new Date(day + index * 86_400_000).toISOString().slice(0, 10),
    );
    const rows = Array.from({ length: 12 }, (_, market) =>
      dates.map((date) => `UGA,Maize,RETAIL,Market ${market},Ministry,UGX,Kg,${date},daily,360`),
    ).flat();
    const report = await imports.importText('prices', [HEADER, ...rows].join('\n'), { dryRun: true });
    expect(report).toMatchObject({ read: 108_000, new: 108_000, findings: null, first_findings: [] });
    expect(await imports.rows('SELECT 1 FROM price_serie')).toEqual([]);
  });
});

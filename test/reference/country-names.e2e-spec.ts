import { CountryNames1764000000035 } from '../../src/database/migrations/1764000000035-country-names.js';
import { MirrorSource } from '../../src/mirror/mirror-source.js';
import { driverStatements } from '../support/driver-statements.js';
import { addressOf, differentExports, runMirror } from '../support/mirrors.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const NAMED = 'Kingdom of Eswatini';

interface MarketRecord {
  id: number;
  country_name: string;
}

interface Report {
  change_set_id: number;
  replaced_values: object[];
}

describe('the name of a country', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const get = async <T>(path: string) => (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
  const send = (method: 'post' | 'patch' | 'put' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const create = async (body: object) =>
    (await send('post', 'Market/', body).expect(201)).body as MarketRecord;
  const names = async (query = '') =>
    (await get<MarketRecord[]>(`Market/${query}`)).map(({ country_name }) => country_name);
  /** The names that a revision has replaced, in order of the markets. */
  const namesBefore = async (revision: number) => {
    const versions = await service.database.rows<{ attributes: string }>(
      "SELECT attributes FROM record_version WHERE table_name = 'market' AND until = ? ORDER BY record_id",
      [revision],
    );
    return versions.map(({ attributes }) => (JSON.parse(attributes) as MarketRecord).country_name);
  };
  /** All that the feed has after a token, and the next one. */
  const feed = async (since: string) => {
    const records: unknown[] = [];
    for (let next = since; ;) {
      const query = `points=true${next && `&since=${next}`}`;
      const page = await get<{ next: string; more: boolean; results: { record: object }[] }>(
        `Changes/?${query}`,
      );
      records.push(...page.results.map(({ record }) => record));
      next = page.next;
      if (!page.more) return { next, records };
    }
  };
  const change = (body: object, id: number) => send('patch', `Market/${id}/`, body).expect(200);
  const upload = async (format: string, text: string, query = '') => {
    const type = text.startsWith('[') ? 'application/json' : 'text/csv';
    const headers = { ...admin, 'Content-Type': type };
    const path = `/api/v1/Import/?format=${format}${query}`;
    return (await service.http().post(path).set(headers).send(text).expect(200)).body as Report;
  };
  const prices = (...rows: string[]) =>
    [
      'uuid,iso3_country_code,country_name,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value',
      ...rows,
    ].join('\n');
  const price = (market: string, name: string, uuid = '', code = 'SWZ') =>
    `${uuid},${code},${name},Maize,RETAIL,${market},Bureau,SZL,KG,2024-01-01,monthly,11`;

  /** The name wherever a reader meets it. */
  const shown = async () => {
    const entries = (path: string) =>
      get<{ results: { country_name: string }[] }>(path).then(({ results }) =>
        results.map(({ country_name }) => country_name),
      );
    const { facets } = await get<{ facets: Record<string, { name: string }[]> }>('PriceSerieFacet/');
    const csv = (await service.http().get('/api/v1/PriceSeriePrice/?format=csv').expect(200)).text;
    const page = (await service.http().get('/countries/SWZ').expect(200)).text;
    return [
      ...new Set([
        ...(await entries('PriceSerie/')),
        ...(await entries('Country/')),
        ...(await entries('FpmaSerie/')),
        ...facets.iso3_country_codes!.map(({ name }) => name),
        ...csv
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[2]!),
        /<title>([^<]*)/.exec(page)![1]!.includes(NAMED) ? NAMED : 'another title',
      ]),
    ];
  };

  it('is set by one write for all markets of its code, as one operation whose former state is kept', async () => {
    await storeSeries(service.unitOfWork, [
      { uuid: A, market: { name: 'Mbabane', iso3_country_code: 'SWZ', country_name: 'Swaziland' } },
      { uuid: B, market: { name: 'Manzini', iso3_country_code: 'SWZ', country_name: 'Swaziland' } },
    ]);
    await create({ name: 'Nairobi', iso3_country_code: 'KEN' });
    const [, second] = await get<MarketRecord[]>('Market/');
    const before = (await get<{ results: { id: number }[] }>('ChangeSet/')).results.length;
    await change({ market_country_name: NAMED }, second!.id);
    expect(await names()).toEqual([NAMED, NAMED, 'Kenya']);
    expect(await shown()).toEqual([NAMED]);
    expect(await get<{ count: number }>('PriceSerie/?search=kingdom')).toMatchObject({ count: 2 });
    const { results } = await get<{ results: { id: number; first_revision: number }[] }>('ChangeSet/');
    expect(results.length).toBe(before + 1);
    const { first_revision } = results[0]!;
    expect(await namesBefore(first_revision)).toEqual(['Swaziland', 'Swaziland']);
    const { results: changes } = await get<{ results: { type: string; revision: number }[] }>('Changes/');
    expect(changes.filter(({ revision }) => revision === first_revision)).toMatchObject([
      { type: 'record', table: 'Market', id: 1 },
      { type: 'record', table: 'Market', id: 2 },
    ]);
    const audit = await service.http().get('/api/v1/AuditLog/?table=market&action=update').set(admin);
    expect((audit.body as { results: object[] }).results).toMatchObject([
      { record_id: 2, after: { country_name: NAMED, renamed_markets: 1 } },
    ]);
  });

  it('is that of ISO again in all markets of its code where a write has an empty one', async () => {
    const blanks: ((id: number, code: string) => Promise<{ body: unknown }>)[] = [
      (id) => send('patch', `Market/${id}/`, { market_country_name: '' }).expect(200),
      (id, code) =>
        send('put', `Market/${id}/`, { name: 'B', iso3_country_code: code, country_name: ' ' }).expect(200),
      (_, code) =>
        send('post', 'Market/', { name: 'C', iso3_country_code: code, country_name: '' }).expect(201),
    ];
    const countries = [
      ['SWZ', 'Eswatini'],
      ['TUR', 'Türkiye'],
      ['CIV', "Côte d'Ivoire"],
    ] as const;
    for (const [index, [code, name]] of countries.entries()) {
      await create({ name: 'A', iso3_country_code: code, country_name: NAMED });
      const { id } = await create({ name: 'B', iso3_country_code: code });
      const { body } = await blanks[index]!(id, code);
      expect(body).toMatchObject({ country_name: name });
      expect(new Set(await names(`?iso3_country_code=${code}`))).toEqual(new Set([name]));
    }
    const moved = await create({ name: 'D', iso3_country_code: 'KEN', country_name: NAMED });
    await change({ iso3_country_code: 'TUR', country_name: '' }, moved.id);
    expect(new Set(await names('?iso3_country_code=TUR'))).toEqual(new Set(['Türkiye']));
    const { id } = await create({ name: 'World', iso3_country_code: 'IPS', country_name: 'World market' });
    expect((await change({ country_name: '' }, id)).body).toMatchObject({ country_name: '' });
  });

  it('is that of the code for markets that are added, replaced and moved without a name', async () => {
    expect(await create({ name: 'A', iso3_country_code: 'SWZ' })).toMatchObject({ country_name: 'Eswatini' });
    const other = await create({ name: 'B', iso3_country_code: 'SWZ', country_name: NAMED });
    expect(await names()).toEqual([NAMED, NAMED]);
    const third = await create({ name: 'C', iso3_country_code: 'SWZ' });
    expect(third).toMatchObject({ country_name: NAMED });
    const put = await send('put', `Market/${other.id}/`, { name: 'B', iso3_country_code: 'SWZ' }).expect(200);
    expect(put.body).toMatchObject({ country_name: NAMED });
    const moved = await create({ name: 'D', iso3_country_code: 'KEN' });
    expect((await change({ iso3_country_code: 'SWZ' }, moved.id)).body).toMatchObject({
      country_name: NAMED,
    });
    expect((await change({ iso3_country_code: 'LSO' }, moved.id)).body).toMatchObject({
      country_name: 'Lesotho',
    });
    expect(await names()).toEqual([NAMED, NAMED, NAMED, 'Lesotho']);
    // A market that has the name already says it for the others, too.
    await service.unitOfWork.run((transaction) =>
      transaction.execute("UPDATE market SET country_name = 'Swaziland' WHERE name = 'A'"),
    );
    await change({ country_name: NAMED }, other.id);
    expect(await names('?iso3_country_code=SWZ')).toEqual([NAMED, NAMED, NAMED]);
  });

  it('is the last one where many set it at once', async () => {
    for (let n = 0; n < 8; n++) await create({ name: `Market ${n}`, iso3_country_code: 'SWZ' });
    const ids = (await get<MarketRecord[]>('Market/')).map(({ id }) => id);
    await Promise.all([
      ...ids.map((id) => change({ country_name: `Name ${id}` }, id)),
      ...ids.map((id) => create({ name: `New ${id}`, iso3_country_code: 'SWZ' })),
    ]);
    const all = await names();
    expect([all.length, new Set(all).size]).toEqual([16, 1]);
    expect(all[0]).toMatch(/^Name \d+$/);
  });

  it('is set for many markets by few statements', async () => {
    await service.unitOfWork.run((transaction) =>
      transaction.execute(
        'INSERT INTO market (name, iso3_country_code, country_name) VALUES ' +
          Array.from({ length: 200 }, (_, n) => `('M${n}', 'SWZ', 'Swaziland')`).join(', '),
      ),
    );
    const [first] = await get<MarketRecord[]>('Market/?name=M0');
    service.unitOfWork.followers = [];
    const statements = await driverStatements(service.database, () =>
      change({ country_name: NAMED }, first!.id),
    );
    expect(statements.length).toBeLessThan(20);
    expect(new Set(await names())).toEqual(new Set([NAMED]));
  });

  describe('in files', () => {
    it('is ISO’s where a file has others, and the report lists them', async () => {
      const text = prices(price('Mbabane', 'Swaziland'), price('Manzini', 'Eswatini'), price('Siteki', ''));
      const replaced = [{ column: 'country_name', value: 'Swaziland', read_as: 'Eswatini', cells: 1 }];
      expect((await upload('prices', text, '&dry_run=true')).replaced_values).toEqual(replaced);
      expect((await upload('prices', text)).replaced_values).toEqual(replaced);
      expect(await names()).toEqual(['Eswatini', 'Eswatini', 'Eswatini']);
    });

    it('is the one that a maintainer has set, whatever files have', async () => {
      await create({ name: 'Mbabane', iso3_country_code: 'SWZ', country_name: NAMED });
      const listed = async (format: string, text: string) => (await upload(format, text)).replaced_values;
      const read = (value: string) => [{ column: 'country_name', value, read_as: NAMED, cells: 1 }];
      expect(await listed('prices', prices(price('Manzini', '"Swaziland"', A)))).toEqual(read('Swaziland'));
      expect(
        await listed('Market', 'name,iso3_country_code,country_name\nMbabane,SWZ,eSwatini\nSiteki,SWZ,\n'),
      ).toEqual(read('eSwatini'));
      const fpma = {
        uuid: B,
        iso3_country_code: 'SWZ',
        country_name: 'Eswatini',
        market_name: 'Big Bend',
        commodity_name: 'Rice',
        price_type: 'RETAIL',
        source_name: 'Bureau',
        measure_unit: 'Kg',
        measure_unit_label: 'Kg',
        currency: 'SZL',
        periodicity: [],
      };
      expect(await listed('fpma', JSON.stringify([fpma]))).toEqual(read('Eswatini'));
      const vam =
        'adm0_id,adm0_name,adm1_id,adm1_name,mkt_id,mkt_name,cm_id,cm_name,cur_id,cur_name,pt_id,pt_name,um_id,um_name,mp_month,mp_year,mp_price,mp_commoditysource\n' +
        '235,Swaziland,1,Hhohho,1,Piggs Peak,51,Maize,1,SZL,15,Retail,5,KG,1,2020,9,WFP\n';
      expect(await listed('wfp', vam)).toEqual(read('Swaziland'));
      expect(await listed('prices', prices(price('Nhlangano', NAMED, '', 'SWZ')))).toEqual([]);
      const all = await names();
      expect([all.length, new Set(all)]).toEqual([6, new Set([NAMED])]);
    });

    it('is the one of an export in an empty database', async () => {
      await upload('prices', prices(price('Mbabane', NAMED, A), price('Manzini', NAMED, B)));
      await upload('Market', 'name,iso3_country_code,country_name\nMaseru,LSO,Kingdom of Lesotho\n');
      expect(await names()).toEqual([NAMED, NAMED, 'Kingdom of Lesotho']);
    });
  });

  it('is kept by a merge that is reverted, and of markets that went', async () => {
    await storeSeries(service.unitOfWork, [
      { uuid: A, market: { name: 'Mbabane', iso3_country_code: 'SWZ', country_name: 'Swaziland' } },
      { uuid: B, market: { name: 'Manzini', iso3_country_code: 'SWZ', country_name: 'Swaziland' } },
    ]);
    const [one, other] = (await get<MarketRecord[]>('Market/')).map(({ id }) => id);
    const { first_revision: start } = (await get<{ results: { first_revision: number }[] }>('ChangeSet/'))
      .results[0]!;
    const merge = await send('post', `Market/${one}/merge/`, { into: other }).expect(200);
    await change({ country_name: NAMED }, other!);
    const past = await get<{ results: object[] }>(`PriceSerie/?as_of=r${start}`);
    expect(past.results).toMatchObject([{ country_name: NAMED }, { country_name: NAMED }]);
    const { change_set } = merge.body as { change_set: number };
    await send('post', `ChangeSet/${change_set}/revert/`).expect(200);
    expect(await names()).toEqual([NAMED, NAMED]);
  });

  it('follows its source in a mirror', async () => {
    const copy = await startTestApp();
    try {
      const signal = new AbortController().signal;
      const run = () =>
        runMirror(copy, {
          source: new MirrorSource(addressOf(service), signal, () => undefined, 3),
          signal,
          once: true,
          onCopied: () => undefined,
          onRejected: (problem) => {
            throw new Error(problem);
          },
        });
      await upload('prices', prices(price('Mbabane', ''), price('Manzini', ''), price('Siteki', '')));
      await run();
      await change({ country_name: NAMED }, 2);
      await run();
      expect(await differentExports(service, copy)).toEqual([]);
    } finally {
      await copy.close();
    }
  });

  it('is made one by the migration, as a revision', async () => {
    await upload(
      'prices',
      prices(price('Mbabane', ''), price('Manzini', ''), price('Maseru', '', '', 'LSO')),
    );
    await upload(
      'prices',
      prices(price('A', '', '', 'IPS'), price('B', '', '', 'IPS'), price('C', '', '', 'XKX')),
    );
    await create({ name: 'D', iso3_country_code: 'LSO', country_name: 'Kingdom of Lesotho' });
    await service.unitOfWork.run(async (transaction) => {
      for (const [name, country] of [
        ['Mbabane', 'Swaziland'],
        ['Maseru', 'Lesotho'],
        ['B', 'International prices'],
      ])
        await transaction.execute('UPDATE market SET country_name = ? WHERE name = ?', [country!, name!]);
    });
    const revisions = () =>
      service.database.rows<{ revision: number | string }>(
        'SELECT revision, reference_revision AS r FROM data_revision',
      );
    const [{ revision: before }] = (await revisions()) as [{ revision: number }];
    const migrate = async () => {
      const runner = service.database.writer.createQueryRunner();
      await new CountryNames1764000000035().up(runner);
      await runner.release();
      await service.revision.refresh();
    };
    const { next } = await feed('');
    await migrate();
    const expected = [
      ...['Eswatini', 'Eswatini', 'Kingdom of Lesotho'],
      ...['International prices', 'International prices', 'Kosovo', 'Kingdom of Lesotho'],
    ];
    expect(await names()).toEqual(expected);
    const after = Number(before) + 1;
    expect((await revisions()).map((row) => Object.values(row).map(Number))).toEqual([[after, after]]);
    expect(await namesBefore(after)).toEqual(['Swaziland', 'Lesotho', '']);
    const { records } = await feed(next);
    expect(records).toMatchObject([
      { name: 'Mbabane', country_name: 'Eswatini' },
      { name: 'Maseru', country_name: 'Kingdom of Lesotho' },
      { name: 'A', country_name: 'International prices' },
    ]);
    await migrate();
    expect((await revisions()).map(({ revision }) => Number(revision))).toEqual([after]);
  });
});

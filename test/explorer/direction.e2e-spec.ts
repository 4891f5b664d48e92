import { DeskBrowser } from '../desk/desk.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { BROWSER_ACCEPT } from './pages.js';

const [KENYA, YEMEN] = ['aaaaaaaa-0000-4000-8000-00000000000', 'bbbbbbbb-0000-4000-8000-00000000000'];
const uuids = [0, 1].flatMap((number) => [`${KENYA}${number}`, `${YEMEN}${number}`]);
/** Overrides that are not ended, isolates that are, and ends without a begin. */
const hostile = (name: string) => `${name} \u202etxet\u2067 \u2069\u2069\u202c, \u2066x\u202bend`;
const MONTHS = Array.from({ length: 14 }, (_, month) =>
  new Date(Date.UTC(2023, month, 1)).toISOString().slice(0, 10),
);

/** Explicit characters of direction but the two by which the pages isolate names. */
const CONTROL = /[\u202a-\u202e\u2066\u2067]/;
const ARABIC = /[\u0600-\u06ff]/;

/** What may be turned: everything but what is a field's own, and names in elements of their own. */
function notIsolated(text: string): string[] {
  const others = text
    .replace(/\svalue="[^"]*"/g, '')
    .replace(/(<textarea[^>]*>)[^<]*/g, '$1')
    .replace(/<script type="application\/ld\+json">.*?<\/script>/gs, '');
  const names = others.replace(/<bdi[^>]*>[^<]*<\/bdi>/g, '').replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
  const around = (at: number, whole: string) => whole.slice(Math.max(0, at - 100), at + 40);
  const found = [...names.matchAll(new RegExp(ARABIC, 'g')), ...names.matchAll(/[\u2068\u2069]/g)];
  return [
    ...[...others.matchAll(new RegExp(CONTROL, 'g'))].map(({ index }) => around(index, others)),
    ...found.map(({ index }) => around(index, names)),
  ];
}

describe('names that change the direction of writing', () => {
  let service: TestApp;
  let desk: DeskBrowser;
  beforeAll(async () => {
    service = await startTestApp();
    desk = await new DeskBrowser(service).login();
    const points = (factor: number) => ({
      monthly: MONTHS.map(
        (date, index) => [date, factor * (index === 8 ? 900 : 10 + index), hostile('seen')] as const,
      ),
    });
    const named = (name: (text: string) => string, country: string, number: number) => ({
      commodity: { name: name(`Maize ${number}`), category: name('Cereals') },
      market: { name: name('Market'), iso3_country_code: country, country_name: name('Land') },
      source: { name: name('Bulletin') },
      unit: { name: name('bag') },
    });
    const arabic = (text: string) => `ذرة ${text}`;
    await storeSeries(
      service.unitOfWork,
      [0, 1].flatMap((number) => [
        { uuid: `${KENYA}${number}`, ...named(hostile, 'KEN', number), points: points(1 + number) },
        {
          uuid: `${YEMEN}${number}`,
          ...named(arabic, 'YEM', number),
          currency: 'YER',
          points: points(2 + number),
        },
      ]),
    );
  });
  afterAll(() => service.close());

  const read = async (address: string) => {
    const { text, body } = await service.http().get(address).set('Accept', BROWSER_ACCEPT).expect(200);
    return text ?? (body as Buffer).toString();
  };
  const ids = async (table: string) =>
    (await service.database.rows<{ id: number }>(`SELECT id FROM ${table}`)).map(({ id }) => id);

  it('turn nothing around them on pages, in pictures and in what is embedded', async () => {
    const commodities = await ids('commodity');
    const addresses = [
      ...[
        '/',
        '/browse',
        '/browse?search=maize',
        '/warnings',
        '/releases',
        '/data',
        '/compare',
        '/browse?search=zzz',
      ],
      ...[`/compare?uuids=${uuids.join(',')}`, `/compare?uuids=${uuids[0]},${uuids[1]}&view=ratio`],
      ...commodities.map((id) => `/commodities/${id}`),
      ...['/countries/KEN', '/countries/YEM'],
      ...uuids.flatMap((uuid) => [
        `/series/${uuid}`,
        `/series/${uuid}/points/monthly/${MONTHS[5]}`,
        `/series/${uuid}.svg`,
        `/embed/series/${uuid}`,
      ]),
    ];
    const found: [string, string[]][] = [];
    for (const address of addresses) found.push([address, notIsolated(await read(address))]);
    expect(found.filter(([, texts]) => texts.length > 0)).toEqual([]);
  });

  it('turn nothing around them at the desk', async () => {
    const tables = {
      Commodity: 'commodity',
      Market: 'market',
      Source: 'source',
      MeasureUnit: 'measure_unit',
    };
    const addresses = [
      '/desk/',
      '/desk/tables',
      '/desk/series',
      '/desk/findings',
      '/desk/change-sets',
      '/desk/audit-log',
    ];
    for (const [name, table] of Object.entries(tables)) {
      const [first, second] = await ids(table);
      addresses.push(
        `/desk/tables/${name}`,
        `/desk/tables/${name}/${first}`,
        `/desk/tables/${name}/${second}`,
      );
      addresses.push(`/desk/tables/${name}/${first}/merge?into=${second}`);
    }
    for (const id of (await ids('finding')).slice(0, 20)) addresses.push(`/desk/findings/${id}`);
    for (const id of await ids('change_set')) addresses.push(`/desk/change-sets/${id}`);
    for (const uuid of uuids)
      addresses.push(`/desk/series/${uuid}`, `/desk/series/${uuid}/join?into=${uuids[0]}`);
    const found: [string, string[]][] = [];
    for (const address of addresses) {
      const { status, text } = await desk.open(address);
      if (![200, 409, 400].includes(status)) throw new Error(`${address} has status ${status}`);
      found.push([address, notIsolated(text)]);
    }
    expect(found.filter(([, texts]) => texts.length > 0)).toEqual([]);
  });

  it('stay as they are in the fields of the desk', async () => {
    const [id] = (
      await service.database.rows<{ id: number }>('SELECT id FROM commodity WHERE name = ?', [
        hostile('Maize 0'),
      ])
    ).map((row) => row.id);
    expect(await desk.page(`/desk/tables/Commodity/${id}`)).toContain(`value="${hostile('Maize 0')}"`);
  });
});

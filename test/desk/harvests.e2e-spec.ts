import { HarvestAlarms } from '../../src/harvests/alarms/harvest-alarms.js';
import { HarvestScheduler } from '../../src/harvests/runs/harvest-scheduler.js';
import { tableRows } from '../explorer/pages.js';
import { HarvestApp, pricesFile } from '../harvests/harvest-app.js';
import { DeskBrowser, expectDeskPage, formOf } from './desk.js';
import { alertOf, facts } from './uploads.js';

const FILE = pricesFile({ Bamako: [200, 210], Gao: [300, 310] });
/** Half of the markets are missing. */
const SHRUNK = pricesFile({ Bamako: [200, 210] });
const SHOWN = '2026-11-21 12:00';
const REASONS = [
  'Rows: 2, where the file that was imported last had 4 (50 % fewer).',
  'Series: 1, where the file that was imported last had 2 (50 % fewer).',
];

describe('the pages of harvests', () => {
  let app: HarvestApp;
  let browser: DeskBrowser;
  beforeEach(async () => {
    app = await HarvestApp.start();
    app.source.publish(FILE);
    browser = await new DeskBrowser(app.service).login();
  });
  afterEach(() => app?.close());

  const pageOf = async (address: string) => (await browser.page(address)).replace(/\s+/g, ' ');
  const listed = async (caption = 'by name') => tableRows(await pageOf('/desk/harvests'), caption);
  const runs = async (caption = 'newest first') => tableRows(await browser.page('/desk/harvests/1'), caption);
  /** Sends the form of a page to an address with this end, and follows. */
  const send = async (end: string, fields: Record<string, string> = {}) => {
    const { action, fields: shown } = formOf(await browser.page('/desk/harvests/1'), end);
    return browser.post(action, { ...shown, ...fields });
  };
  /** Imports a file, and has another one held. */
  const hold = async () => {
    await app.create({ source: 'OMA' });
    await app.run();
    app.source.publish(SHRUNK);
    expect(await app.run()).toMatchObject({ id: 2, state: 'held' });
  };

  it('say so where there are none, and lead to the guide', async () => {
    const html = await pageOf('/desk/harvests');
    expect(html).toContain('There are no harvests yet.');
    expect(html).toContain('<a href="/desk/harvests" aria-current="page">Harvests</a>');
    const [, guide] = /href="(\/help\/guides\/harvests)"/.exec(html)!;
    await browser.open(guide!).expect(200);
  });

  it('list how the runs of each stand, and when it runs next', async () => {
    await hold();
    await app.create({ name: 'off', address: 'file:a.csv', schedule: '0 6 1 1 *', enabled: false });
    await app.create({ name: 'failing', address: 'file:none.csv', time_zone: 'Africa/Nairobi' });
    await app.run('failing');
    const failed = 'There is no such file below HARVEST_FILES_DIR.';
    expect(await listed()).toEqual([
      [
        ...['failing', 'on', `${SHOWN} failed: ${failed}`, '2026-11-21 12:01 attempt 2'],
        ...['–', 'every day at 06:00 (Africa/Nairobi)', '', 'Run now'],
      ],
      [
        ...['mali-oma', 'on, a file is held', `${SHOWN} held`, '2026-11-22 06:00'],
        ...['–', 'every day at 06:00 (UTC)', 'OMA', 'Run now'],
      ],
      ['off', 'off', 'never', '–', '–', '0 6 1 1 * (UTC)', '', 'Run now'],
    ]);
    // The one that is held stays so while later runs find the same file.
    await app.run();
    expect((await listed())[1]!.slice(0, 3)).toEqual([
      'mali-oma',
      'on, a file is held',
      `${SHOWN} no new file`,
    ]);
  });

  it('show the settings without the secret, and runs with what became of them', async () => {
    await app.create({
      address: `${app.source.address('/{secret}.csv')}`,
      secret: 'never-shown',
      header: 'X-Key: {secret}',
      options: { country: 'MLI', invert: false },
      schedule: '30 6 * * 1-5',
      time_zone: 'Africa/Bamako',
      expected_interval: 'P1M',
      expected_lag: 'P10D',
      owner: '<b>Statistics</b>',
    });
    app.source.handler = (_, response) => response.writeHead(503).end();
    await app.run();
    app.source.publish(FILE);
    await app.minutesLater(1);
    await app.runDue();
    browser = await new DeskBrowser(app.service).login();
    const html = await pageOf('/desk/harvests/mali-oma');
    expect([...html.matchAll(/<dt>([^<]*)<\/dt> <dd>(.*?)<\/dd>/g)].map(([, ...item]) => item)).toEqual([
      ['Address', `<code>${app.source.address('/{secret}.csv')}</code>`],
      ['Header', '<code>X-Key: {secret}</code>'],
      ['Secret', 'stored; it is never shown'],
      ['Format', 'prices'],
      ['Options', expect.stringContaining('country = MLI, invert = false')],
      ['Schedule', 'Monday to Friday at 06:30 (Africa/Bamako) <code>30 6 * * 1-5</code>'],
      ['Next run (UTC)', expect.stringContaining('2026-11-23 06:30')],
      ['State', 'on'],
      [
        'Next values expected',
        '<time class="nowrap" datetime="2026-12-21">2026-12-21</time>. <span class="muted">The source is late after <time class="nowrap" datetime="2026-12-31">2026-12-31</time>.</span> ',
      ],
      ['A new file is expected', '1 month after the last one, and up to 10 days later'],
      [
        'Limits of files',
        '20 % fewer rows, series or countries<br />2 % rejected rows<br />10 % changed values, or prices of long ago',
      ],
      ['Owner', expect.stringContaining('&lt;b&gt;Statistics&lt;/b&gt;')],
    ]);
    expect(html).not.toContain('never-shown');
    const changeSet = (await app.runs())[0]!.change_set_id;
    const later = '2026-11-21 12:01';
    expect(await runs()).toEqual([
      [later, 'imported (attempt 2)', '4', '4', '0', '0', String(changeSet), expect.any(String), later],
      [SHOWN, 'failed: The server returned status 503.', '', '', '', '', '', '', SHOWN],
    ]);
    await browser.page(`/desk/change-sets/${changeSet}`);
    await browser.open('/desk/harvests/2').expect(404);
    await browser.open('/desk/harvests/none').expect(404);
  });

  it('say how late values are, by the interval of a harvest or by earlier releases', async () => {
    await app.create({ expected_interval: 'P1M', expected_lag: 'P5D', schedule: '0 6 1 1 *' });
    await app.run();
    const shown = async () => {
      browser = await new DeskBrowser(app.service).login();
      const [, text] = /<dt>Next values expected<\/dt> <dd>(.*?)<\/dd>/.exec(
        await pageOf('/desk/harvests/1'),
      )!;
      return [text!.replace(/<(?!\/?strong)[^>]*>/g, '').trim(), (await listed('One harvest'))[0]![4]];
    };
    expect(await shown()).toEqual(['2026-12-21. The source is late after 2026-12-26.', '2026-12-21']);
    await app.at('2026-12-22T12:00');
    const [soon] = await shown();
    expect(soon).toBe('2026-12-21, 1 day late. The source is late after 2026-12-26.');
    await app.at('2026-12-27T12:00');
    expect(await shown()).toEqual([
      '2026-12-21, <strong>6 days late</strong>. The source is late after 2026-12-26.',
      '2026-12-21, 6 days late',
    ]);
    // What is off is not expected.
    await app.send('patch', 'Harvest/1/', { enabled: false }).expect(200);
    expect((await listed('One harvest'))[0]![4]).toBe('–');
  });

  it('say when values are expected by earlier releases', async () => {
    await app.create({ source: 'OMA', schedule: '0 6 1 1 *' });
    for (let months = 1; months <= 5; months++) {
      app.source.publish(pricesFile({ Bamako: [200, 201, 202, 203, 204].slice(0, months) }));
      await app.at(`2026-${String(months + 1).padStart(2, '0')}-10T12:00`);
      await app.run();
    }
    browser = await new DeskBrowser(app.service).login();
    const html = await pageOf('/desk/harvests/1');
    expect(
      /<dt>Next values expected<\/dt> <dd>(.*?)<\/dd>/.exec(html)![1]!.replace(/<time[^>]*>|<\/time>/g, ''),
    ).toBe(
      '2026-07-10. <span class="muted">The source is late after 2026-07-10.</span> <a href="/releases">When prices come</a>',
    );
  });

  it('are where alarms lead to: of the first page, of the list and of a finding', async () => {
    await hold();
    await app.service.app.get(HarvestAlarms).refresh();
    const link =
      'of the harvest </bdi><a href="/desk/harvests/1">mali-oma</a><bdi> of 2026-11-21 looks wrong';
    const list = await pageOf('/desk/findings');
    const [, finding] = /<a href="(\/desk\/findings\/\d+)">/.exec(list)!;
    for (const html of [await pageOf('/desk/'), list, await pageOf(finding!)]) expect(html).toContain(link);
    expect(await pageOf(finding!)).toContain('<dd><a href="/desk/harvests/1">mali-oma</a></dd>');
  });

  it('run one now, and turn it off and on', async () => {
    await app.create();
    const asked = await send('/run');
    expect([asked.status, asked.headers.location]).toEqual([303, '/desk/harvests/1?done=asked']);
    const waiting = await browser.open('/desk/harvests/1?done=asked');
    expectDeskPage(waiting, 200);
    expect([waiting.headers.refresh, waiting.text]).toEqual([
      '2',
      expect.stringContaining('It runs as soon as no other harvest is running.'),
    ]);
    expect(await runs('One run')).toEqual([['as soon as possible', 'waiting', '', '', '', '', '', '', '']]);
    await app.runDue();
    expect((await browser.open('/desk/harvests/1?done=asked')).headers.refresh).toBeUndefined();
    expect((await runs('One run'))[0]![1]).toBe('imported');
    const off = await send('/enabled');
    expect(off.headers.location).toBe('/desk/harvests/1?done=off');
    expect(await app.send('get', 'Harvest/1/')).toMatchObject({ body: { enabled: false } });
    expect((await listed('One harvest'))[0]!.slice(1, 4)).toEqual(['off', `${SHOWN} imported`, '–']);
    // A form that is sent twice asks for the same.
    const { action, fields } = formOf(await browser.page('/desk/harvests/1'), '/enabled');
    for (let times = 0; times < 2; times++)
      expect((await browser.post(action, fields)).headers.location).toBe('/desk/harvests/1?done=on');
    expect(await app.send('get', 'Harvest/1/')).toMatchObject({ body: { enabled: true } });
    const { body } = await app.send('get', 'AuditLog/?table=harvest').expect(200);
    expect((body as { results: object[] }).results).toMatchObject([
      { action: 'update', username: 'admin' },
      { action: 'update', username: 'admin' },
      { action: 'create' },
    ]);
  });

  it('show why a file is held, what an import would do, and the file', async () => {
    await hold();
    const html = await browser.page('/desk/harvests/1');
    const shown = html.replace(/\s+/g, ' ');
    for (const reason of REASONS) expect(shown).toContain(`<li>${reason}</li>`);
    expect(facts(html)).toEqual({ 'Rows read': 2, Unchanged: 2, Countries: 1 });
    const [, link] = /<a href="([^"]*\/file)" download>/.exec(html)!;
    const file = await browser.open(link!).responseType('blob');
    expect([file.status, file.headers['cache-control'], String(file.body)]).toEqual([
      200,
      'no-store',
      SHRUNK,
    ]);
    await browser.open('/desk/harvests/1/runs/1/file').expect(404);
  });

  it('import a held file anyway', async () => {
    await hold();
    const { status, headers } = await send('/runs/2/import', { reason: 'Two markets closed' });
    expect([status, headers.location]).toEqual([303, '/desk/harvests/1?done=approved']);
    expect(await pageOf('/desk/harvests/1')).not.toContain('Import anyway');
    await app.service.app.get(HarvestScheduler).runDue();
    const [row] = await runs();
    expect(row).toEqual([
      SHOWN,
      `imported: ${REASONS.join(' ')} By admin: Two markets closed`,
      ...['2', '0', '0', '0', expect.stringMatching(/^\d+$/), expect.any(String), SHOWN],
    ]);
    expect(await pageOf(`/desk/change-sets/${row![6]}`)).toMatch(
      /<dt>By<\/dt> <dd>.*?admin.*?<dt>Reason<\/dt> <dd>.*?Two markets closed/,
    );
  });

  it('dismiss a held file with a reason, once', async () => {
    await hold();
    const { action, fields } = formOf(await browser.page('/desk/harvests/1'), '/runs/2/dismiss');
    const without = await browser.post(action, fields);
    expectDeskPage(without, 400);
    expect(/id="reason-error">([^<]*)</.exec(without.text)?.[1]).toBe(
      'Reason is required to dismiss a run: why its file is not imported.',
    );
    const tooLong = await browser.post(action, { ...fields, reason: 'a'.repeat(1001) });
    expectDeskPage(tooLong, 400);
    expect(formOf(tooLong.text, '/runs/2/dismiss').fields.reason).toBe('a'.repeat(1001));
    expect(formOf(tooLong.text, '/runs/2/import').fields.reason).toBe('');
    const sent = { ...fields, reason: 'Cut off' };
    const done = await browser.post(action, sent);
    expect([done.status, done.headers.location]).toEqual([303, '/desk/harvests/1?done=dismissed']);
    expect((await runs())[0]!.slice(0, 2)).toEqual([
      SHOWN,
      `dismissed: ${REASONS.join(' ')} By admin: Cut off`,
    ]);
    const again = await browser.post(action, sent);
    expectDeskPage(again, 409);
    expect(alertOf(again.text)).toBe('The run is dismissed: only one that is held is imported or dismissed.');
  });

  it('create one by a form, once however often it is sent', async () => {
    const { action, fields } = formOf(await browser.page('/desk/harvests/new'), '/new');
    expect(fields).toEqual({
      ...{ form_token: expect.any(String), key: expect.any(String), format: 'prices', reason: '' },
      ...{
        name: '',
        address: '',
        secret: '',
        header: '',
        schedule: '',
        time_zone: '',
        source: '',
        owner: '',
      },
      ...{
        country: '',
        price_type: '',
        period: '',
        decimal: '',
        dates: '',
        file: '',
        sheet: '',
        encoding: '',
      },
      ...{ expected_interval: '', expected_lag: '', mode: '' },
      ...{ shrink_limit: '', reject_limit: '', change_limit: '' },
    });
    const typed = {
      ...fields,
      ...{ name: 'mali', address: app.source.address('/{secret}.csv'), secret: 'abc', format: 'prices' },
      ...{ schedule: '30 6 * * 1-5', time_zone: 'Africa/Bamako', country: 'MLI', mode: 'fill_only' },
      ...{ invert: 'true', shrink_limit: '12,5', expected_interval: 'P1M', reason: 'The new bulletin' },
    };
    const wrong = { name: 'No name!', schedule: 'daily', encoding: 'none', shrink_limit: '120' };
    const rejected = await browser.post(action, { ...typed, ...wrong });
    expectDeskPage(rejected, 400);
    expect([...rejected.text.matchAll(/id="(\w+)-error">([^<]*)</g)].map(([, ...error]) => error)).toEqual([
      ['shrink_limit', expect.stringMatching(/^Fewer rows, series or countries, in percent must be /)],
    ]);
    const others = await browser.post(action, { ...typed, ...wrong, shrink_limit: '' });
    expect([...others.text.matchAll(/id="(\w+)-error">([^<]*)</g)].map(([, ...error]) => error)).toEqual([
      ['name', expect.stringMatching(/^Name must be small letters and digits/)],
      ['schedule', expect.stringMatching(/^Schedule must be a schedule of cron/)],
      ['encoding', 'Encoding must be the label of an encoding, such as windows-1251.'],
    ]);
    const { secret, ...shown } = formOf(others.text, '/new').fields;
    expect(shown).toMatchObject({
      ...wrong,
      shrink_limit: '',
      mode: 'fill_only',
      country: 'MLI',
      invert: 'true',
    });
    expect(secret).toBe('');
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await browser.post(action, typed);
      expect([status, headers.location]).toEqual([303, '/desk/harvests/1?done=created']);
    }
    const { body } = await app.send('get', 'Harvest/').expect(200);
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          ...{ name: 'mali', has_secret: true, format: 'prices', schedule: '30 6 * * 1-5' },
          ...{ options: { country: 'MLI', invert: true, fill_only: true }, time_zone: 'Africa/Bamako' },
          ...{ shrink_limit: 12.5, reject_limit: 2, expected_interval: 'P1M', enabled: true },
        },
      ],
    });
    const another = formOf(await browser.page('/desk/harvests/new'), '/new').fields;
    const taken = await browser.post(action, { ...typed, key: another.key! });
    expectDeskPage(taken, 409);
  });

  it('change the settings of one, unless it was changed meanwhile', async () => {
    await app.create({
      ...{ address: app.source.address('/{secret}.csv'), secret: 'abc' },
      options: { country: 'MLI', overrule_corrections: true },
    });
    const { action, fields } = formOf(await browser.page('/desk/harvests/mali-oma/edit'), '/edit');
    expect(fields).toMatchObject({
      ...{ name: 'mali-oma', address: app.source.address('/{secret}.csv'), secret: '', format: 'prices' },
      ...{ country: 'MLI', mode: 'overrule_corrections', shrink_limit: '20', version: '1' },
    });
    const changed = {
      ...fields,
      mode: '',
      country: '',
      owner: 'Awa',
      change_limit: '50',
      reason: 'Hers now',
    };
    const saved = await browser.post(action, changed);
    expect([saved.status, saved.headers.location]).toEqual([303, '/desk/harvests/1?done=saved']);
    const { body } = await app.send('get', 'Harvest/1/').expect(200);
    expect(body).toMatchObject({ has_secret: true, options: {}, owner: 'Awa', change_limit: 50 });
    const late = await browser.post(action, { ...changed, owner: 'Somebody' });
    expectDeskPage(late, 412);
    expect(alertOf(late.text)).toContain('It has been changed since you opened this page.');
    expect(formOf(late.text, '/edit').fields).toMatchObject({ owner: 'Awa', version: '2', reason: '' });
    await browser.open('/desk/harvests/2/edit').expect(404);
  });

  it('remove one with its runs, once, unless it was changed meanwhile', async () => {
    await hold();
    const { action, fields } = formOf(await browser.page('/desk/harvests/1'), '/remove');
    expect(fields).toEqual({ form_token: expect.any(String), version: '1', reason: '' });
    await app.send('patch', 'Harvest/1/', { owner: 'Awa' }).expect(200);
    const late = await browser.post(action, { ...fields, reason: 'Of no use' });
    expectDeskPage(late, 412);
    expect(alertOf(late.text)).toBe(
      'It was changed since you opened it. Look at it again before you remove it.',
    );
    const again = formOf(late.text, '/remove').fields;
    expect(again).toMatchObject({ version: '2', reason: '' });
    const tooLong = await browser.post(action, { ...again, reason: 'a'.repeat(1001) });
    expectDeskPage(tooLong, 400);
    expect(formOf(tooLong.text, '/remove').fields.reason).toBe('a'.repeat(1001));
    expect(await app.runs()).toHaveLength(2);
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await browser.post(action, { ...again, reason: 'Of no use' });
      expect([status, headers.location]).toEqual([303, '/desk/harvests?done=removed']);
    }
    expect(await pageOf('/desk/harvests?done=removed')).toContain(
      'It was removed, with its runs. What they have imported stays.',
    );
    await app.send('get', 'Harvest/1/').expect(404);
    expect(await app.points()).toBe(4);
    const { body } = await app.send('get', 'AuditLog/?table=harvest&action=delete').expect(200);
    const [{ change_set_id: changeSet }] = (body as { results: [{ change_set_id: number }] }).results;
    expect(await app.send('get', `ChangeSet/${changeSet}/`)).toMatchObject({ body: { reason: 'Of no use' } });
  });

  it('show the form again without its secret where the session has ended', async () => {
    const { action, fields } = formOf(await browser.page('/desk/harvests/new'), '/new');
    const other = await new DeskBrowser(app.service).login();
    const again = await other.post(action, { ...fields, name: 'typed', secret: 'never-shown' });
    expectDeskPage(again, 403);
    expect(formOf(again.text, '/new').fields).toMatchObject({ name: 'typed', secret: '', key: fields.key });
    expect(again.text).not.toContain('never-shown');
  });

  it('are for maintainers, and do nothing without the token of the session', async () => {
    await hold();
    const visitor = new DeskBrowser(app.service);
    for (const path of ['', '/1', '/1/runs/2/file'])
      expect((await visitor.open(`/desk/harvests${path}`)).headers.location).toMatch(/^\/desk\/login/);
    for (const path of ['run', 'enabled', 'remove', 'runs/2/import', 'runs/2/dismiss']) {
      const { status, text } = await browser.post(`/desk/harvests/1/${path}`, { reason: 'typed' });
      expect([status, text]).toEqual([403, expect.stringContaining('Nothing has been saved yet')]);
    }
    expect(await app.runs()).toMatchObject([{ state: 'held' }, { state: 'done' }]);
  });
});

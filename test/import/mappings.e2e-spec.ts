import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments, runImport } from '../../src/import/run-import.js';
import { validateMapping } from '../../src/import/mappings/mapping.js';
import { testChange } from '../support/change-set.js';
import { UsageError } from '../../src/platform/commands/run-command.js';
import { openImports } from '../support/imports.js';

const MAPPING = {
  name: 'office',
  table: 'prices',
  encoding: 'windows-1252',
  dialect: { delimiter: ';' },
  unpivot: { columns: '{market} (*)', value: 'price_value' },
  fields: {
    iso3_country_code: { value: 'MLI' },
    commodity: { column: 'Produit' },
    measure_unit: { value: 'KG' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'Office' },
    date: { column: 'Mois', format: '%B %Y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { decimalChar: ',' },
  },
};

const TEXT = `Produit;Mois;Bamako (marché central);Kayes (marché)
Maïs;août 2024;250,5;300
Maïs;septembre 2024;251;
Mil;août 2024;x;0
`;

describe('npm run import -- --mapping', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  const folder = mkdtempSync(join(tmpdir(), 'pds-mapping-'));
  const path = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const mapping = path('mapping.json', JSON.stringify(MAPPING));

  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(async () => {
    await imports.close();
    rmSync(folder, { recursive: true });
  });

  async function run(...argv: string[]) {
    const output: string[] = [];
    const code = await runImport(parseArguments(argv), async () => imports, {
      print: (text) => output.push(text),
      printError: (text) => output.push(text),
      progressStream: { isTTY: false, write: () => true },
    });
    return {
      code,
      output: output.join('\n').replace(/\d[\d.]* s, [\d,]+ rows\/s(?:\n {2}change set \d+)?/, '…'),
    };
  }

  it('shows in a dry run the first rows as they would be stored', async () => {
    const { code, output } = await run(
      '--mapping',
      mapping,
      path('a.csv', Buffer.from(TEXT, 'latin1')),
      '--dry-run',
    );
    expect(code).toBe(3);
    expect(output).toBe(
      [
        'office a.csv (dry run: nothing is stored)',
        '  read                 6',
        '  new                  3',
        '  skipped              1  no_value 1',
        '  rejected             2  invalid_number 1, not_positive 1',
        '  countries            1  Mali (MLI)',
        '  series created       2',
        '  Commodity created    1',
        '  Market created       2',
        '  Source created       1',
        '  MeasureUnit created  1',
        '  …',
        'Rejected:',
        '  line 4, Bamako (marché central): Bamako (marché central) must be a number with a decimal comma and nothing ' +
          'between thousands, not "x". (invalid_number)',
        '  line 4, Kayes (marché): Kayes (marché) must be greater than 0, not "0". (not_positive)',
        'The first rows as they would be stored:',
        '  line,iso3_country_code,country_name,market,commodity,price_type,source,currency,measure_unit,date,' +
          'periodicity,price_value',
        '  2,MLI,Mali,Bamako,Maïs,RETAIL,Office,XOF,KG,2024-08-01,monthly,250.5',
        '  2,MLI,Mali,Kayes,Maïs,RETAIL,Office,XOF,KG,2024-08-01,monthly,300',
        '  3,MLI,Mali,Bamako,Maïs,RETAIL,Office,XOF,KG,2024-09-01,monthly,251',
        'Created:',
        '  Commodity: Maïs',
        '  Market: Bamako',
        '  Market: Kayes',
        '  Source: Office',
        '  MeasureUnit: KG',
        'What the words mean:',
        '  no_value: a blank value',
      ].join('\n'),
    );
  });

  it('stores prices once, in a thread as well', async () => {
    const file = path('a.csv', TEXT);
    expect((await run('--mapping', mapping, file)).output).toMatch(/\n {2}new +3\n/);
    expect((await run('--mapping', mapping, file)).output).toMatch(/\n {2}unchanged +3\n/);
    const points = await imports.rows('SELECT value FROM observation ORDER BY value');
    expect(points.map(({ value }) => Number(value))).toEqual([250.5, 251, 300]);
    // Long files are read in a thread.
    const blank = ';;;\n'.repeat(400_000);
    expect((await run('--mapping', mapping, path('b.csv', TEXT + blank))).output).toMatch(
      /\n {2}unchanged +3\n/,
    );
    expect(
      await imports.rows("SELECT format FROM change_set WHERE kind = 'import' AND format <> 'office'"),
    ).toEqual([]);
  });

  it('takes the name of a stored mapping for a format, and stores the same', async () => {
    const file = path('a.csv', Buffer.from(TEXT, 'latin1'));
    await run('--mapping', mapping, file);
    const stored = () =>
      imports.rows(
        'SELECT uuid, period, day, value FROM observation JOIN price_serie ON id = serie_id ORDER BY uuid, day',
      );
    const expected = await stored();
    expect(expected).toHaveLength(3);
    await imports.empty();
    await expect(run('office', file)).rejects.toThrow(
      new UsageError('Unknown format "office": no format and no stored mapping has the name.'),
    );
    const checked = validateMapping(MAPPING);
    if (!('value' in checked)) throw new Error('The mapping is not valid.');
    await imports.unitOfWork.change(testChange, async (transaction) => {
      await imports.mappings.insert(transaction, checked.value, 1);
    });
    const { code, output } = await run('office', file);
    expect(code).toBe(3);
    expect(output).toMatch(/^office \(version 1\) a\.csv\n/);
    expect(await stored()).toEqual(expected);
    expect((await run('office', file, '--dry-run')).output).toMatch(
      /The first rows as they would be stored:/,
    );
  });

  it('rejects what is no mapping, before it opens a database', () => {
    const parse =
      (...args: string[]) =>
      () =>
        parseArguments(args);
    expect(parse('--mapping', join(folder, 'none.json'), 'a.csv')).toThrow(UsageError);
    expect(parse('--mapping', mapping, 'wfp', 'a.csv')).toThrow(
      'Specify one file, URL or - beside --mapping, and no format.',
    );
    expect(parse('--mapping', path('bad.json', '{"name": 1'), 'a.csv')).toThrow(
      /is no mapping: it is not valid JSON: unexpected end at position 10\.$/,
    );
    expect(parse('--mapping', path('bad.json', '[]'), 'a.csv')).toThrow(
      'is no mapping: it must be a JSON object.',
    );
    const wrong = JSON.stringify({ ...MAPPING, table: 'price', skipp: [] });
    expect(parse('--mapping', path('bad.json', wrong), 'a.csv')).toThrow(
      'is no valid mapping:\n  skipp is not a field of this record. Did you mean skip?',
    );
    const large = JSON.stringify({ ...MAPPING, missingValues: Array.from({ length: 30_000 }, () => 'ab') });
    expect(parse('--mapping', path('bad.json', large), 'a.csv')).toThrow('it has more than 102400 bytes.');
  });
});

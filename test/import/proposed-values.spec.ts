import { fieldsOfProposal, mappingOfFields } from '../../src/desk/upload/mapping/mapping-fields.js';
import { inputReader } from '../../src/import/formats/index.js';
import { validateMapping } from '../../src/import/mappings/mapping.js';
import { NOTHING_KNOWN } from '../../src/import/mappings/propose/proposal.js';
import { proposeForTable } from '../../src/import/mappings/propose/proposed-table.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { chunksOf, collect } from '../support/import-input.js';

/*
 * Files of strangers, from the proposal to what is stored: each value is right, or the page has
 * said of what it is not sure.
 */

/** A file, what the page says of its values, and what is stored of it. */
interface StrangersFile {
  readonly what: string;
  readonly text: string;
  readonly fileName?: string;
  /** Questions about its values, beside those that every file has. */
  readonly asked: readonly string[];
  /** What people answer, by the fields of the form. */
  readonly answers?: Readonly<Record<string, string>>;
  /** `market, commodity, unit, date, value`, or the values of a row. */
  readonly stored: readonly string[];
  readonly rejected?: readonly string[];
  readonly skipped?: Readonly<Record<string, number>>;
}

/** What everybody answers, where the file does not say it. */
const USUAL: Readonly<Record<string, string>> = {
  ...{ iso3_country_code: 'MLI', market: 'Kayes', commodity: 'Rice', price_type: 'RETAIL', source: 'Office' },
  ...{ currency: 'XOF', measure_unit: 'kg', periodicity: 'daily', year: '2024', base_period: '2010' },
};

const HEADER = 'Market,Commodity,Unit,Date,Price\n';

const files: readonly StrangersFile[] = [
  {
    what: 'abbreviations for missing values, in small and capital letters, also in the first row',
    text: `Mercado;Producto;Unidad;Fecha;Precio
Zacapa;Maíz;libra;2024-01-15;S/C
Zacapa;Arroz;libra;2024-01-15;12,5
Zacapa;Frijol;libra;2024-01-15;s/c
Zacapa;Papa;libra;2024-01-15;n.q.
Zacapa;Sal;libra;2024-01-15;10,25
`,
    asked: [],
    stored: ['Zacapa, Arroz, libra, 2024-01-15, 12.5', 'Zacapa, Sal, libra, 2024-01-15, 10.25'],
    skipped: { no_value: 3 },
  },
  {
    what: 'a column in which most values are missing',
    text: `Commodity,Unit,Date,Nairobi,Kisumu,Nakuru
Maize,kg,2024-01-15,12.5,n.q.,NR
Beans,kg,2024-01-15,14,n.q.,11
Rice,kg,2024-01-15,20,50,18
`,
    asked: [],
    stored: [
      ...['Nairobi, Maize, kg, 2024-01-15, 12.5', 'Nairobi, Beans, kg, 2024-01-15, 14'],
      ...['Nakuru, Beans, kg, 2024-01-15, 11', 'Nairobi, Rice, kg, 2024-01-15, 20'],
      ...['Kisumu, Rice, kg, 2024-01-15, 50', 'Nakuru, Rice, kg, 2024-01-15, 18'],
    ],
    skipped: { no_value: 3 },
  },
  {
    what: 'a word that repeats among numbers, and one that stands in another column, too',
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,12
Ayr,Beans,kg,2024-01-15,flooded
Ayr,Rice,kg,2024-01-15,14
Ayr,Tea,kg,2024-01-15,flooded
Ayr,NC,kg,2024-01-15,16
Ayr,Oil,kg,2024-01-15,NC
`,
    asked: [
      'These are read as marks for missing values: "flooded" in 2 cells; "NC", which stands in "Commodity", too.',
    ],
    stored: [...['Ayr, Maize, kg, 2024-01-15, 12', 'Ayr, Rice, kg, 2024-01-15, 14']],
    rejected: ['Commodity is required.'],
    skipped: { no_value: 3 },
  },
  {
    what: 'numbers with footnotes',
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,12.5*
Ayr,Beans,kg,2024-01-15,12.5 (1)
Ayr,Rice,kg,2024-01-15,12.5p
Ayr,Tea,kg,2024-01-15,1 250 a/
Ayr,Salt,kg,2024-01-15,33.5¹
Ayr,Milk,kg,2024-01-15,33.5
`,
    asked: [
      'Signs of footnotes stand behind numbers. They are left out, whatever they say: "12.5*" is 12.5, "12.5p" is 12.5, "1 250 a/" is 1 250, "33.5¹" is 33.5. Rows with digits in them are rejected: "12.5 (1)".',
    ],
    stored: [
      ...['Ayr, Maize, kg, 2024-01-15, 12.5', 'Ayr, Rice, kg, 2024-01-15, 12.5'],
      ...[
        'Ayr, Tea, kg, 2024-01-15, 1250',
        'Ayr, Salt, kg, 2024-01-15, 33.5',
        'Ayr, Milk, kg, 2024-01-15, 33.5',
      ],
    ],
    rejected: ['Price must be a number with a decimal point and blanks between thousands, not "12.5 (1)".'],
  },
  ...[
    ['.', '1250'],
    [',', '1.25'],
  ].map(([sign, value]): StrangersFile => ({
    what: `numbers that do not show their decimal sign, which is said to be ${sign}`,
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,"1,250"\nAyr,Beans,kg,2024-01-15,"2,250"\n`,
    asked: ['No number shows which sign is the decimal one: is "1,250" 1250 or 1.250?'],
    answers: { decimal: sign! },
    stored: [
      `Ayr, Maize, kg, 2024-01-15, ${value}`,
      `Ayr, Beans, kg, 2024-01-15, ${value!.replace('1', '2')}`,
    ],
  })),
];

/** Questions that every file has: who, where, what, how often. */
const isUsual = (control: string): boolean => Object.hasOwn(USUAL, control.replace('fields.', ''));

async function readByProposal({ text, fileName = 'file.csv', answers = {} }: StrangersFile) {
  const { proposal } = await proposeForTable(chunksOf(text), fileName, NOTHING_KNOWN, {});
  const form = fieldsOfProposal(proposal);
  for (const { control, proposed } of proposal.questions) {
    const field = control.replace('fields.', '');
    if (control.startsWith('confirm.')) form.set(control, 'yes');
    else if (proposed === null && isUsual(control)) {
      form.set(`from.${field}`, 'value');
      form.set(`value.${field}`, USUAL[field]!);
    }
  }
  for (const [field, value] of Object.entries(answers)) form.set(field, value);
  const asked = proposal.questions.filter(({ control }) => !isUsual(control)).map((one) => one.text);
  const described = mappingOfFields(form, proposal);
  expect(described.violations).toEqual([]);
  const checked = validateMapping(described.mapping);
  if ('violations' in checked) throw new Error(JSON.stringify(checked.violations));
  const mapping = checked.value;
  const { rows, rejects, skipped } = await collect(
    inputReader(mapping.name, { mapping })!(chunksOf(text), { mapping }),
  );
  const stored = (rows as unknown as StoredRow[]).map((row) =>
    'values' in row
      ? Object.values(row.values).join(', ')
      : [
          ...[row.series.market.name, row.series.commodity.name, row.series.measure_unit.name],
          ...[isoFromDay(row.day), row.value],
        ].join(', '),
  );
  return { asked, stored, rejected: rejects.map(({ detail }) => detail), skipped };
}

type Named = Readonly<Record<'name', string>>;
type StoredRow =
  | { readonly values: Readonly<Record<string, string | number>> }
  | {
      readonly series: Readonly<Record<'market' | 'commodity' | 'measure_unit', Named>>;
      readonly day: number;
      readonly value: number;
    };

describe('a file of strangers', () => {
  it.each(files)('is read right, or in doubt told, with $what', async (file) => {
    const { asked, stored, rejected = [], skipped = {} } = file;
    expect(await readByProposal(file)).toEqual({ asked, stored, rejected, skipped });
  });
});

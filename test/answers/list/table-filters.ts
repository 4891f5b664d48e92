import { group, numbers, type ListedRequest } from './request.js';
import { API, TABLES, type Field, type Table } from './seeds.js';

/** Values that filters of a field take or reject. */
function fieldValues(field: Field): string[] {
  switch (field.kind) {
    case 'text':
      return ['%22%22', 'urban', 'x'.repeat(201), '%22open', `%25,_`];
    case 'digits':
      return ['100630', '1006,100590', '10a', '%22%22'];
    case 'choice':
      return [field.allowed[0]!, field.allowed.join(','), field.allowed[0]!.toUpperCase(), 'other%20thing'];
    case 'date':
      return ['2024-01-01', '2024-01-01,2024-02-01', '2023-02-30', '2024', '3+days+ago'];
    case 'code':
      return ['XAA', 'xaa,XDA', 'KE', 'K1N'];
    case 'number':
      return ['1', '0.02,1', '1e0', 'abc', '1e400', '-6.93', '0x1', '1.0', '+1', 'Infinity'];
    case 'flag':
      return ['true', '0', 'TRUE', 'yes'];
  }
}

function tableQueries({ fields, word }: Table): string[] {
  const own = Object.entries(fields).flatMap(([name, field]) => [
    ...fieldValues(field).map((value) => `${name}=${value}`),
    `${name}=`,
    `${name}=1&${name}=2`,
  ]);
  return [
    ...own,
    ...['1', '1,2', '0', 'x', '2147483648', numbers(501)].map((id) => `id=${id}`),
    `search=${word}`,
    `search=${word.toUpperCase()}+zzz`,
    'search=',
    'search=%20',
    `search=${'a'.repeat(201)}`,
    'name__icontains=x',
    'serch=x',
    'ordering=-id',
    'constructor=1',
    'page_size=2&id=1,2,3',
    'format=csv&page_size=2',
    'format=ndjson&id=1',
  ];
}

/** Filters of the reference tables. */
export function tableFilters(): ListedRequest[] {
  const { read } = group('table');
  return TABLES.flatMap((table) =>
    tableQueries(table).map((query) => {
      const paged = /^(page_size|format|id)=/.test(query) ? query : `${query}&page_size=3`;
      return read(`${API}/${table.name}/?${paged}`, { label: `${table.name} ${query.slice(0, 100)}` });
    }),
  );
}

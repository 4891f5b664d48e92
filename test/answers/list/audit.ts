import { bearer, group, type ListedRequest } from './request.js';
import { API } from './seeds.js';

const QUERIES = [
  'page_size=5',
  'page_size=5&page=2',
  'page=999',
  'page_size=0',
  'table=commodity&page_size=3',
  'table=commodity,market&page_size=3',
  'table=COMMODITY&page_size=3',
  'table=nothing',
  'table=price_serie,observation,price&page_size=3',
  'record_id=1&page_size=3',
  'record_id=0',
  'record_id=x',
  'record_id=9007199254740991',
  'record_id=9007199254740992',
  'account_id=1&page_size=2',
  'account_id=2',
  'account_id=99',
  'account_id=x',
  'action=create&page_size=2',
  'action=update&page_size=2',
  'action=delete&page_size=2',
  'action=import&page_size=3',
  'action=import,delete&table=cpi&page_size=3',
  'action=IMPORT&page_size=1',
  'action=read',
  'from=2026-11-21&page_size=1',
  'from=2026-11-22',
  'to=2026-11-20',
  'to=2026-11-21&page_size=1',
  'from=2026-11-22&to=2026-11-21',
  'from=2023-02-30',
  'from=1+day+ago',
  'at=2026-11-21',
  'format=csv&page_size=20',
  'format=ndjson&page_size=20',
  'format=csv&action=delete',
  'format=ndjson&table=market',
  'format=csv&table=nothing',
  'format=xml',
];

/** The audit trail: what the requests before have left in it. */
export function audit(): ListedRequest[] {
  const { request } = group('audit');
  return [
    ...QUERIES.map((query) => request('GET', `${API}/AuditLog/?${query}`, { headers: bearer('access') })),
    request('GET', `${API}/AuditLog?page_size=2000`, { headers: bearer('access') }),
    request('GET', `${API}/AuditLog/?page_size=10`, {
      label: 'compressed',
      headers: [...bearer('access'), ['Accept-Encoding', 'br']],
    }),
    request('GET', `${API}/AuditLog/?page_size=10`, {
      label: 'as CSV by Accept',
      headers: [...bearer('access'), ['Accept', 'text/csv']],
    }),
    request('GET', `${API}/AuditLog/`, {
      label: 'unchanged',
      headers: [...bearer('access'), ['If-None-Match', '*']],
    }),
    ...['POST', 'PUT', 'DELETE'].map((method) =>
      request(method, `${API}/AuditLog/`, { headers: bearer('access') }),
    ),
  ];
}

import { importMode } from '../corrections/correction.js';
import { reasonParameter } from '../database/revision/change-reason.js';
import { ValidationError, type Violation } from '../platform/errors/api-error.js';
import { choice, flag, iso3, one, text } from '../platform/validation/parsers.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { importFormats } from './formats/index.js';
import type { ImportRequest } from './import.service.js';

/** How an input is imported, as requests and forms say it. */
export const importParameters = {
  format: one(choice(Object.keys(importFormats)), 'Format of the body; required.'),
  country: one(iso3, 'Country of a wfp input without a country column.'),
  source: one(
    text(200),
    'Source of a wfp, fx or cpi input, in place of the one that it is known by: "World Food Programme (WFP)", …',
  ),
  period: one(
    choice(['daily', 'weekly', 'monthly'] as const),
    'Frequency of the prices of a wfp input; required if they are not dated the 15th.',
  ),
  include_forecast: one(flag, 'Also store forecasts.'),
  overrule_corrections: one(flag, 'Store the values of the file where corrections stand, and end these.'),
  fill_only: one(flag, 'Only add points and records; change none that is stored.'),
  replace: one(flag, 'Also change rates and indices of other sources.'),
  reason: reasonParameter,
};

/** The values of `importParameters`. */
export type ImportValues = QueryValues<typeof importParameters>;

/** What a request or a form says of an import, besides the format. */
export type RequestedImport = Required<Pick<ImportRequest, 'options' | 'reason' | 'mode' | 'replace'>>;

/** @throws ValidationError for modes that exclude each other */
export function requestedImport(values: ImportValues): RequestedImport {
  const mode = importMode(values);
  if (mode === null) throw new ValidationError(conflictingModes);
  const { country, source, period, include_forecast: includeForecast } = values;
  const options = { country, source, period, includeForecast };
  return { options, reason: values.reason ?? '', mode, replace: values.replace ?? false };
}

const conflictingModes: Violation[] = ['overrule_corrections', 'fill_only'].map((name) => ({
  in: 'query',
  name,
  code: 'conflicting_fields',
  detail: 'overrule_corrections and fill_only exclude each other.',
}));

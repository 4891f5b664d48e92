/** Why rows are left out on purpose, by the reason in reports. */
export const SKIP_REASONS: Readonly<Record<string, string>> = {
  already_stored: 'another value is stored, and only new points were to be added',
  annual: 'an annual rate, which is not stored',
  blank_line: 'a line of blank fields',
  calculated: 'a value that the service derives itself',
  forecast: 'a price that its source expects; it is stored on request',
  hxl_tags: 'the line of HXL tags below the header',
  left_out: 'a row that the mapping leaves out',
  less_than_stored: 'a derived price where one that was observed is known',
  longer_than_month: 'a value of a quarter or a year, which is not stored',
  no_country_code: 'an index of a region, which has no country code',
  no_currency_code: 'a rate whose currency has no code',
  no_value: 'a blank value',
  not_a_month: 'an index of a whole year',
  other_frequency: 'a rate that is neither daily nor monthly',
  other_item: 'another index than the general one and that of food',
};

/** What counts of a report mean that few imports have, by their names in the report. */
export const COUNT_MEANINGS: Readonly<Record<string, string>> = {
  rounded: 'numbers of more than 15 digits',
  inverted: 'rates that were given as dollars for a unit, of which 1 ÷ rate is stored',
  replaced: 'values that were read as blank or as others, as the list says',
  hs_codes_kept: 'commodities whose stored HS code is another than the one in the input',
  filled: 'empty fields of stored records that the input has filled',
  attribute_conflicts: 'fields of stored records for which the input has another value',
  corrections_kept: 'rows that left a correction as it is',
  corrections_confirmed: 'corrections whose value the source has now, too',
  corrections_superseded: 'corrections that a new value of the source has replaced',
  kept_other_source: 'rows with another value for a rate or an index of another source',
  older_than_stored: 'series of which prices are stored that are newer than those of the input',
  backdated: 'new prices more than 90 days before the newest stored one of their series',
  findings: 'what looks wrong in the stored data since the import, by rule; see docs/quality.md',
};

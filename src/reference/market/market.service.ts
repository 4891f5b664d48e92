import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { countryName } from '../../lib/codes/countries.js';
import { ReferenceService } from '../base/reference.service.js';
import type { RecordValues } from '../base/table-statements.js';
import { readCountryNames, renameCountry } from './country-names.js';
import { Market } from './market.entity.js';

/**
 * The markets. All markets of a country have one name of it: a write that has a name gives it to
 * all of them, one with an empty name gives them that of ISO, and one without leaves it as it is.
 */
@Injectable()
export class MarketService extends ReferenceService(Market) {
  protected override async decided(
    transaction: Transaction,
    values: RecordValues,
    before: Market | null,
  ): Promise<RecordValues> {
    const code = (values.iso3_country_code ?? before?.iso3_country_code) as string;
    if (values.country_name === '') return { ...values, country_name: countryName(code) };
    if (values.country_name !== undefined) return values;
    if (code === before?.iso3_country_code) return { ...values, country_name: before.country_name };
    const stored = (await readCountryNames(transaction, [code])).get(code);
    return { ...values, country_name: stored ?? countryName(code) };
  }

  protected override async spread(
    transaction: Transaction,
    written: RecordValues,
    { iso3_country_code, country_name }: Market,
  ): Promise<RecordValues> {
    if (written.country_name === undefined) return {};
    const renamed = await renameCountry(transaction, iso3_country_code, country_name);
    return renamed === 0 ? {} : { renamed_markets: renamed };
  }
}

import { Injectable } from '@nestjs/common';
import { BuiltIn } from '../../platform/errors/api-error.js';
import { ReferenceService } from '../base/reference.service.js';
import type { RecordValues } from '../base/table-statements.js';
import { PriceType } from './price-type.entity.js';

/** Export, retail, wholesale and import: clients and imports know them by these ids and names. */
const BUILT_IN_IDS: readonly number[] = [11, 12, 13, 17];

@Injectable()
export class PriceTypeService extends ReferenceService(PriceType) {
  protected override assertChangeable({ id }: PriceType, changes: RecordValues): void {
    if ('name' in changes && BUILT_IN_IDS.includes(id))
      throw new BuiltIn(`The name of price type ${id} is fixed.`);
  }

  // A new record of the name would get another id, which no client and no list looks for.
  protected override assertRemovable({ id }: PriceType): void {
    if (BUILT_IN_IDS.includes(id)) throw new BuiltIn(`Price type ${id} is built in and stays.`);
  }
}

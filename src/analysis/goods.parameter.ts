import { flag, one } from '../platform/validation/parsers.js';
import { goodsOnly } from '../price-series/filters/conditions.js';
import { filter } from '../price-series/filters/criteria.js';

/** The filter of replies that put series together, where wages and exchange rates distort. */
export const goodsFilter = {
  goods: filter(
    one(
      flag,
      'Whether to leave out series of what is no commodity, exchange rates and wages; true unless given.',
    ),
    goodsOnly,
  ),
};

/** The values of a query, with the one that `goods` has unless it is given. */
export const withGoods = <T extends { goods?: boolean }>(values: T): T => ({
  ...values,
  goods: values.goods ?? true,
});

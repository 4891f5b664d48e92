import { flag, one, ParseError, type ValueParser } from '../platform/validation/parsers.js';
import { type CommodityChoice, commoditiesOnly } from '../price-series/filters/conditions.js';
import { filter } from '../price-series/filters/criteria.js';

const goods: ValueParser<CommodityChoice> = {
  parse(text, context) {
    if (/^food$/i.test(text)) return 'food';
    const value = flag.parse(text, context);
    return value instanceof ParseError
      ? new ParseError('invalid_choice', 'must be true, false or food.', {
          allowed: ['true', 'false', 'food'],
        })
      : value;
  },
  schema: { type: ['boolean', 'string'], enum: [true, false, 'food'] },
};

const goodsParameter = (byDefault: CommodityChoice) => ({
  goods: filter(
    one(
      goods,
      'Which commodities: `food` alone, `true` without what is no commodity, exchange rates and wages, ' +
        `or \`false\`, all. \`${byDefault}\` unless given.`,
    ),
    commoditiesOnly,
  ),
});

/** The filter of lists that take all series unless asked otherwise. */
export const anyGoodsFilter = goodsParameter(false);

/** The filter of replies that put series together, where wages and exchange rates distort. */
export const goodsFilter = goodsParameter(true);

/** The same for what is said of food prices. */
export const foodFilter = goodsParameter('food');

/** The values of a query, with the one that `goods` has unless it is given. */
export const withGoods = <T extends { goods?: CommodityChoice }>(
  values: T,
  byDefault: CommodityChoice = true,
): T => ({
  ...values,
  goods: values.goods ?? byDefault,
});

import { isGoods, notGoodsOf } from './goods.js';

describe('goods', () => {
  it.each([
    ['Exchange rate', 'exchange rate'],
    ['Exchange rate (unofficial)', 'exchange rate'],
    ['Exchange rate (interbank)', 'exchange rate'],
    ['Official EXCHANGE rates', 'exchange rate'],
    ['Taux de change (parallèle)', 'exchange rate'],
    ['Tipo de cambio', 'exchange rate'],
    ['Tasa de cambio oficial', 'exchange rate'],
    ['Wage (non-qualified labour, agricultural)', 'wage'],
    ['Wage (qualified labour)', 'wage'],
    ['Casual labor', 'wage'],
    ['Salaire journalier', 'wage'],
    ["Main d'œuvre agricole", 'wage'],
    ['Main-d’oeuvre', 'wage'],
    ['Jornal agrícola', 'wage'],
    ['Mano de obra', 'wage'],
    ['Rice', null],
    ['Sausage', null],
    ['Milling cost (maize)', null],
    ['Transport (public)', null],
    ['Maize (food for wages)', null],
    ['Wages', 'wage'],
    ['Wagers', null],
    ['', null],
  ])('%j is %j', (name, kind) => {
    expect(notGoodsOf(name)).toBe(kind);
    expect(isGoods(name)).toBe(kind === null);
  });
});

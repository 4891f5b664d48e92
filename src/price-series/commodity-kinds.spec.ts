import { isFood, isCommodity, nonCommodityOf } from './commodity-kinds.js';

describe('what is a commodity', () => {
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
    expect(nonCommodityOf(name)).toBe(kind);
    expect(isCommodity(name)).toBe(kind === null);
  });
});

describe('food', () => {
  it.each([
    ['Maize (white)', 'cereals and tubers', true],
    ['Salt', 'miscellaneous food', true],
    ['Livestock (goat)', 'meat, fish and eggs', true],
    ['Cottonseed oil', '', true],
    ['Plate (plastic)', 'non-food', false],
    ['Maize (seed)', 'Non-food', false],
    ['Essence', '', false],
    ['Pétrole lampant', '', false],
    ['Leña', '', false],
    ['Gas', '', false],
    ['Asparagus', '', true],
    ['Laundry soap', '', false],
    ['Savon', 'Divers', false],
    ['Panga', '', false],
    ['Machete', 'other', false],
    ['Bowls (plastic)', '', false],
    ['Urea', '', false],
    ['Feed (wheat bran)', '', false],
    ['Maize feed grade', '', true],
    ['Milling cost (sorghum)', '', false],
    ['Transport (public)', '', false],
    ['Wage (qualified labour)', '', false],
    ['Exchange rate', 'currency', false],
    ['Diesel', 'fuel and energy', false],
    // What a maintainer says by the category holds whatever the name.
    ['Soap nuts', 'food', true],
    ['Gas', 'food (drinks)', true],
    ['Maize', 'non-food (feed)', false],
    ['', '', true],
  ])('%j of category %j: %j', (name, category, expected) => {
    expect(isFood(name, category)).toBe(expected);
  });
});

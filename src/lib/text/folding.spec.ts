import { foldForSearch, foldText, markWords, searchableText, searchWords } from './folding.js';

describe('folding', () => {
  it.each([
    ['Bò', 'bò'],
    ['  Zürich ', 'zürich'],
    ['ÉCOLE', 'école'],
    ['cafe\u0301', 'caf\u00e9'],
    ['STRASSE', 'strasse'],
    ['\u0130zmir', 'i̇zmir'],
  ])('folds %j to %j for filters', (text, folded) => expect(foldText(text)).toBe(folded));

  it('keeps accents in filters', () => expect(foldText('café')).not.toBe(foldText('cafe')));

  it.each([
    ['Marché/Fond Ntié-Ntié', 'marche/fond ntie-ntie'],
    ['CAFE\u0301', 'cafe'],
    ['\u0130zmir', 'izmir'],
    [' Côte d’Ivoire ', 'cote d’ivoire'],
    ['की', 'की'],
  ])('folds %j to %j for search', (text, folded) => expect(foldForSearch(text)).toBe(folded));

  it.each([
    ['rice', 'Rice (white)', true],
    ['ice', 'Rice (white)', false],
    ['rice', 'Prices', false],
    ['whi', 'Rice (white)', true],
    ['(whi', 'Rice (white)', true],
    ['white)', 'Rice (white)', true],
    ['ite)', 'Rice (white)', false],
    ['ivoire', "Côte d'Ivoire", true],
    ["d'iv", "Côte d'Ivoire", true],
    ["cote'd", "Côte d'Ivoire", false],
    ['%', '5% broken', true],
    ['5%', 'Rice 5% broken', true],
    ['5%', 'Rice 25% broken', false],
    ['kg', '50kg', false],
    ['МУК', 'Пшеничная мука', true],
    ['ука', 'Пшеничная мука', false],
    // Arabic: with and without hamza, vowel signs and the article.
    ['أرز', 'أَرُز', true],
    ['ارز', 'الأرز', true],
    ['الارز', 'الأرز', true],
    ['رز', 'الأرز', false],
    ['ألبان', 'منتجات الألبان', true],
    ['بان', 'منتجات الألبان', false],
    ['القمح', 'قمح', false],
    // Burmese and others are written without blanks.
    ['ဆန်', 'ပဲဆန်', true],
    ['ဆန်', 'ဆန် (အကြမ်း)', true],
    ['ကြမ်း', 'ဆန် (အကြမ်း)', true],
    ['ြမ်း', 'ဆန် (အကြမ်း)', false],
    ['ဆန်း', 'ဆန်', false],
    ['米', '白米', true],
    ['ข้าว', 'แป้งข้าวเจ้า', true],
    ['rice', '白rice', true],
    ['米', 'No米', true],
    ['की', 'चावल की', true],
    ['वल', 'चावल', false],
  ])('finds %j in %j: %j', (word, name, isFound) =>
    expect(searchableText(name).includes(markWords(foldForSearch(word)))).toBe(isFound),
  );

  it.each([
    ['  Rice   (coarse) rice ', ['rice', '(coarse)']],
    [' ', []],
    ['\u3000白米\u3000東京', ['白米', '東京']],
  ])('splits %j into %j', (text, words) => expect(searchWords(text)).toEqual(words));
});

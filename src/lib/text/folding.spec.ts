import { foldForSearch, foldText, searchWords } from './folding.js';

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
    ['  Rice   (coarse) rice ', ['rice', '(coarse)']],
    [' ', []],
    ['\u3000白米\u3000東京', ['白米', '東京']],
  ])('splits %j into %j', (text, words) => expect(searchWords(text)).toEqual(words));
});

import type { Draft, ValuedColumn } from '../draft.js';
import type { Answer } from '../proposal.js';
import { columnAnswer, quoted } from '../sentences.js';
import { foldWords } from './words.js';

/** The four prices of a period, as tables of estimates and of exchanges have them. */
const SIDES = ['open', 'high', 'low', 'close'] as const;
type Side = (typeof SIDES)[number];

const SIDE_OF_WORD: Readonly<Record<string, Side>> = {
  ...{ o: 'open', open: 'open', opening: 'open', h: 'high', high: 'high', highest: 'high' },
  ...{ l: 'low', low: 'low', lowest: 'low', c: 'close', close: 'close', closing: 'close' },
};

/** The side that a header begins with, or is, and what it is of. */
function sideOf(header: string): { side: Side; prefix: string; rest: string } | null {
  const [, prefix = '', word = '', rest = ''] = /^((\p{L}+)(?:[ _-]+|$))(.*)$/u.exec(header) ?? [];
  const side = SIDE_OF_WORD[foldWords(word)];
  return side === undefined ? null : { side, prefix, rest: foldWords(rest) === 'price' ? '' : rest };
}

const BECAUSE = 'It is the price at the end of the period.';

/**
 * Asks which of an opening, a highest, a lowest and a closing price is the price.
 * @returns whether the table has them
 */
export function askForClosing(draft: Draft, candidates: readonly ValuedColumn[]): boolean {
  const found = candidates.flatMap((column) => {
    const one = sideOf(column.header);
    return one === null ? [] : [{ column, ...one }];
  });
  const goods = [...new Set(found.map(({ rest }) => rest))].filter((rest) =>
    SIDES.every((side) => found.some((one) => one.rest === rest && one.side === side)),
  );
  if (goods.length === 0) return false;
  const sides = SIDES.map((side) => found.filter((one) => one.side === side && goods.includes(one.rest)));
  const closing = sides.at(-1)!;
  const shown = sides.map(([one]) => quoted(one!.column.header)).join(', ');
  const text = `Which of the columns is the ${draft.noun}: ${shown}?`;
  if (goods.length === 1 && goods[0] === '') {
    draft.ask({
      control: `fields.${draft.value}`,
      text,
      answers: sides.map(([one]) => columnAnswer(one!.column)),
      proposed: `column:${closing[0]!.column.index + 1}`,
      because: BECAUSE,
    });
    return true;
  }
  const answers = sides.map(([one]): Answer => ({
    value: `${one!.prefix}{commodity}`,
    label: one!.column.header,
  }));
  draft.unpivoted = closing.map(({ column }) => column);
  draft.unpivot = { columns: answers.at(-1)!.value, value: draft.value };
  for (const { column } of closing) column.role = draft.value;
  draft.fields.commodity = { values: Object.fromEntries(goods.map((name) => [name, name])) };
  draft.say(
    'unpivot.columns',
    `${closing.length} columns become rows, of products: ${goods.map(quoted).join(', ')}.`,
  );
  draft.ask({
    control: 'unpivot.columns',
    text,
    answers,
    proposed: answers.at(-1)!.value,
    because: BECAUSE,
  });
  draft.confirm(
    'estimates',
    'Tables with such columns have estimates, such as the Real Time Prices of the World Bank: they are stored as ' +
      'prices that were observed.',
  );
  return true;
}

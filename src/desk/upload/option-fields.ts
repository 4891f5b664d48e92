import { withOptionNames } from '../../import/formats/option-hint.js';
import { uploadTexts as texts } from '../texts/upload.js';

/** A message of an import, in the words of the page. */
interface DeskMessage {
  readonly text: string;
  /** The fields that it asks for, by their names. */
  readonly fields: readonly FieldName[];
}

/** The labels of values that options may have. */
const CHOICES: Readonly<Record<string, string>> = { ...texts.periods, ...texts.signs, ...texts.orders };

/** A field of the form that messages name. */
type FieldName = keyof typeof texts.labels;

const isField = (name: string): name is FieldName => Object.hasOwn(texts.labels, name);

/** A message of an import with the fields of the form in place of the options of the command. */
export function inWordsOfForm(message: string): DeskMessage {
  const fields = new Set<FieldName>();
  const text = withOptionNames(message, (option, values) => {
    const choices = values.map((value) => CHOICES[value] ?? value);
    if (!isField(option)) return texts.field(option, choices);
    fields.add(option);
    return texts.field(texts.labels[option], choices);
  });
  return { text, fields: [...fields] };
}

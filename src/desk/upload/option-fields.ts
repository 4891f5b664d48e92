import { withOptionNames } from '../../import/formats/option-hint.js';
import { uploadTexts as texts } from '../texts/upload.js';

/** A message of an import, in the words of the page. */
export interface DeskMessage {
  readonly text: string;
  /** The labels of the fields that it asks for. */
  readonly fields: readonly string[];
}

/** The labels of values that options may have. */
const CHOICES: Readonly<Record<string, string>> = { ...texts.periods, ...texts.signs, ...texts.orders };

/** A message of an import with the fields of the form in place of the options of the command. */
export function inWordsOfForm(message: string): DeskMessage {
  const fields: string[] = [];
  const text = withOptionNames(message, (option, values) => {
    const label = texts.optionLabels[option] ?? option;
    fields.push(label);
    const choices = values.map((value) => CHOICES[value] ?? value);
    return texts.field(label, choices);
  });
  return { text, fields };
}

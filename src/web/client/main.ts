/*
 * The scripts of the pages. A page is complete without them: each only adds to what is there, and
 * finds it by its markup. Compiled one by one, served as they are (`layout/scripts.ts`).
 */
import { addCombobox } from './combobox.js';
import { addCopyButton } from './copy.js';
import { addCursor } from './cursor.js';
import { addFileField } from './file-field.js';
import { addKeys } from './keys.js';
import { addMonthSlider } from './month-slider.js';
import { addNavigation } from './navigation.js';

function attach(content: HTMLElement): void {
  for (const input of content.querySelectorAll<HTMLInputElement>(
    'form[action$="/browse"] input[name=search]',
  ))
    addCombobox(input);
  for (const slider of content.querySelectorAll<HTMLInputElement>('input[data-months]'))
    addMonthSlider(slider);
  for (const figure of content.querySelectorAll('figure')) addCursor(figure);
  for (const source of content.querySelectorAll<HTMLElement>('main pre, textarea[readonly], .citation'))
    addCopyButton(source);
  for (const input of content.querySelectorAll<HTMLInputElement>('input[data-max-bytes]'))
    addFileField(input);
}

attach(document.body);
addNavigation(attach);
addKeys();

/*
 * The scripts of the pages. A page is complete without them: each only adds to what is there, and
 * finds it by its markup. Compiled one by one, served as they are (`layout/scripts.ts`).
 */
import { addCombobox } from './combobox.js';

for (const input of document.querySelectorAll<HTMLInputElement>('form[role=search] input[name=search]'))
  addCombobox(input);

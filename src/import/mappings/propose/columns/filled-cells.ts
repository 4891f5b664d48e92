import type { Draft, ValuedColumn } from '../draft.js';
import { columnText } from '../sentences.js';
import { KEYS } from './column-roles.js';

/** Cells that are blank because the one above stands for them. */
export function fillDown(draft: Draft): void {
  for (const column of draft.columns) {
    const { role, cells } = column;
    if (role === null || role === draft.value || draft.fields[role]?.column === undefined) continue;
    const blank = blankRows(draft, column);
    if (blank === 0) continue;
    const isRequired = [
      ...KEYS,
      'date',
      'year',
      'month',
      'iso3_country_code',
      'measure_unit',
      'currency',
    ].includes(role);
    const isGrouped = new Set(column.values).size === column.values.length || blank >= cells.length / 2;
    if (cells.find((cell, index) => cell !== '' || draft.hasValue(index)) === '') {
      if (isRequired) draft.say(`fields.${role}`, `${blank} cells are blank: these rows are rejected.`);
      continue;
    }
    if (isRequired && isGrouped) {
      draft.fields[role].fillDown = true;
      draft.say(`fields.${role}`, `${blank} blank cells have the value above them.`);
    } else if (isRequired || (isGrouped && role.startsWith('admin')))
      draft.ask({
        control: `fields.${role}.fillDown`,
        text: `${blank} cells of ${columnText(column)} are blank: do they have the value above them?`,
        answers: [
          { value: 'true', label: 'Yes, as merged cells do' },
          { value: 'false', label: isRequired ? 'No: such rows are rejected' : 'No: they stay blank' },
        ],
        ...(isGrouped ? { proposed: 'true', because: 'Each name stands above blank cells once.' } : {}),
      });
  }
}

const blankRows = (draft: Draft, { index }: ValuedColumn) =>
  draft.rows.filter((row, at) => (row.cells[index] ?? '').trim() === '' && draft.hasValue(at)).length;

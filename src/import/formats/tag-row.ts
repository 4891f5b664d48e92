/** Whether a row holds HXL tags (`#date`, `#adm1+name`, …), as in older files below the header. */
export const isTagRow = (record: readonly string[]): boolean =>
  record.some((field) => field !== '') && record.every((field) => field === '' || field.startsWith('#'));

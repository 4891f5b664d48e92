/** The most characters of an answer: assistants cannot read more at once. */
export const MAX_CHARACTERS = 25_000;

/** Room for the sentence about what was cut. */
const RESERVE = 700;

/**
 * An answer with a list, as JSON of at most `MAX_CHARACTERS`. Rows that do not fit are left out
 * from the end, and `cut` says how many there are and how to get the others; `go_on` says so where
 * all of them fit, but there are more than were read.
 * @param name of the member that has the rows
 * @param goOn how to ask for the rest, by the number of rows shown
 * @param more whether there are more rows than these
 */
export function listAnswer(
  head: object,
  name: string,
  rows: readonly object[],
  goOn: (shown: number) => string,
  more = false,
): object {
  let room = MAX_CHARACTERS - RESERVE - JSON.stringify(head).length;
  let shown = 0;
  for (; shown < rows.length; shown++) {
    room -= JSON.stringify(rows[shown]).length + 1;
    if (room < 0) break;
  }
  if (shown < rows.length) {
    const all = `${more ? 'more than ' : ''}${rows.length}`;
    const cut = `Only ${shown} of ${all} fit into this answer. ${goOn(shown)}`;
    return { ...head, cut, [name]: rows.slice(0, shown) };
  }
  return more
    ? { ...head, go_on: `There are more. ${goOn(shown)}`, [name]: rows }
    : { ...head, [name]: rows };
}

/**
 * How a message names an option of an import, for the command and over HTTP: `--country CODE (over
 * HTTP: country=CODE)`. The desk replaces it by the name of its field.
 * @param option its name over HTTP
 * @param values those that it may have, or a word for them
 */
export function optionHint(option: string, values: readonly string[] = []): string {
  const name = `--${option.replaceAll('_', '-')}`;
  if (values.length === 0) return `${name} (over HTTP: ${option}=)`;
  const command = values.map((value) => `${name} ${value}`).join(' or ');
  const request = values.map((value) => `${option}=${value}`).join(' or ');
  return `${command} (over HTTP: ${request})`;
}

const HINT = /--[a-z-]+.*? \(over HTTP: ([a-z_]+)=[^()]*\)/g;
const VALUE = /(?<=--[a-z-]+ )[a-z0-9-]+/g;

/**
 * A message with each option in other words.
 * @param name words for an option, by its name over HTTP, and the values that the message proposes
 */
export function withOptionNames(
  message: string,
  name: (option: string, values: readonly string[]) => string,
): string {
  return message.replace(HINT, (hint, option: string) => name(option, hint.match(VALUE) ?? []));
}

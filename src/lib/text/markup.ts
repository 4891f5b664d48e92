const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for content and for quoted attributes, of HTML and of XML. */
export const escapeText = (text: string): string =>
  // Most texts have none, and a test makes no copy.
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (found) => ENTITIES[found]!) : text;

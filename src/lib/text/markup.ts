const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for content and for quoted attributes, of HTML and of XML. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found]!);

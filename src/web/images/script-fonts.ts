/** The scripts that Noto Sans itself lacks, with the fonts that have them, and Latin letters. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Myanmar}/u, 'Noto Sans Myanmar'],
  [/\p{Script=Arabic}/u, 'Noto Sans Arabic'],
];

/**
 * Names the font of each text that has letters of another script. The renderer takes missing
 * letters from another font, but in that font's first weight, and moves letters that are joined.
 * Where a text has several of these scripts, the letters of one are drawn as empty frames.
 */
export const withScriptFonts = (svg: string): string =>
  svg.replace(/<text ([^>]*)>([^<]*)/g, (whole, attributes: string, content: string) => {
    const font = SCRIPTS.find(([script]) => script.test(content))?.[1];
    return font === undefined ? whole : `<text font-family="${font}" ${attributes}>${content}`;
  });

import { escapeText } from './markup.js';

/** Characters that embed, override or isolate a direction, for which names have no use. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Letters of the scripts that are written from right to left, Adlam and Rohingya among them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/**
 * What labels join names by, at the ends of a row, too; in a name, brackets and sentences are of
 * letters of its own script.
 */
const JOIN = /((?:^| )[·÷−](?: |$)|[,:](?: |$)|(?:\. |(?:^| )\()(?![\u0590-\u08ff])|\.? ?$)/;

/** A text that turns nothing around it by explicit characters, whose end it may lack. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');

/** A label in which no name turns what stands around it, for where it is not escaped here. */
export const readable = (label: string): string => isolateNames(withoutControls(label));

/** The same, escaped. */
export const escapeLabel = (label: string): string => escapeText(readable(label));

/**
 * A label in which a name that is written from right to left turns no other one, where no elements
 * can say where names begin: each has the characters around it that isolate it (Unicode Standard
 * Annex #9, FSI and PDI). Other labels stay as they are.
 */
export const isolateNames = (label: string): string =>
  RIGHT_TO_LEFT.test(label)
    ? label
        .split(JOIN)
        .map((part) => (RIGHT_TO_LEFT.test(part) ? `\u2068${part}\u2069` : part))
        .join('')
    : label;

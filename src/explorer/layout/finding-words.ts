import { html, type Html, type HtmlValue } from '../../web/html.js';
import { findingRuleTexts } from '../texts/finding-rules.js';

/** What a rule finds; the rule itself where only another release has it. */
export const ruleMeaning = (rule: string): string =>
  (findingRuleTexts as Readonly<Record<string, string | undefined>>)[rule] ?? rule;

/** A rule by what it finds, with its code. @param linked the meaning as a link */
export const ruleInWords = (rule: string, linked: HtmlValue = ruleMeaning(rule)): Html =>
  html`${linked} <small class="muted">${rule}</small>`;

/** How the text of a finding says by which call of the API a maintainer would mend it. */
const MENDING_CALL = /[.:] (?:POST|PATCH) \/?\w.*?(?:them|them one|merges it|another one)\.(?= |$)/gs;

/** What was found, for readers: without the calls of the API that would mend it. */
export const withoutCalls = (detail: string): string => detail.replace(MENDING_CALL, '.');

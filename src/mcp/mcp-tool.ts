import { z } from 'zod';
import { type AsOf, asOf } from '../ledger/revision/as-of.js';
import { dayFromIso } from '../lib/dates/calendar-date.js';
import { ValidationError } from '../platform/errors/api-error.js';
import { ParseError, UUID } from '../platform/validation/parsers.js';

/** Where requests are sent. */
export const MCP_PATH = '/mcp';

/** What a call of a tool knows of its request. */
export interface ToolCall {
  /** Under which the request is logged. */
  readonly id: string;
  /** Scheme and host of links. */
  readonly origin: string;
  /** Whether there are pages for people. */
  readonly explorer: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A question that assistants may ask: what it needs, and the answer as JSON. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the assistant: when to ask it, and what it gives. */
  readonly description: string;
  readonly input: Input;
  /** @throws ApiError, whose detail is sent to the assistant */
  run(input: z.infer<Input>, call: ToolCall): Promise<object>;
}

/** The uuid of a series. */
export const uuidInput = z
  .string()
  .regex(UUID, 'must be a uuid')
  .describe('The uuid of a series, as find_series gives it.');

/** An earlier state of the data. */
export const asOfInput = z
  .string()
  .optional()
  .describe(
    'The data as they were: at the end of a date (YYYY-MM-DD), at an instant (RFC 3339) or at a revision (r1234, as answers name it). Today unless given.',
  );

/** A date of a calendar that exists. */
export const dateInput = (description: string) =>
  z
    .string()
    .refine((text) => dayFromIso(text) !== null, 'must be a date, YYYY-MM-DD')
    .describe(description);

/** The first and the last day that are asked for. */
export const rangeInput = (from: string, to: string) => ({
  start_date: dateInput(from).optional(),
  end_date: dateInput(to).optional(),
});

/** The days of a range, all unless given. @throws ValidationError where it ends before it begins */
export function daysOf({ start_date, end_date }: { start_date?: string; end_date?: string }) {
  const from = start_date === undefined ? 0 : dayFromIso(start_date)!;
  const to = end_date === undefined ? Infinity : dayFromIso(end_date)!;
  if (from > to) throw wrong('start_date', 'reversed_range', 'must not be after end_date.');
  return { from, to };
}

/**
 * The state that a text names; the newest without one.
 * @param now milliseconds since 1970
 * @param name of the parameter
 * @throws ValidationError
 */
export function asOfOf(text: string, now: number, name?: string): AsOf;
export function asOfOf(text: string | undefined, now: number, name?: string): AsOf | undefined;
export function asOfOf(text: string | undefined, now: number, name = 'as_of'): AsOf | undefined {
  if (text === undefined) return undefined;
  const parsed = asOf.parse(text, { now, maxPageSize: 1 });
  if (parsed instanceof ParseError) throw wrong(name, parsed.code, parsed.reason);
  return parsed;
}

const wrong = (name: string, code: ParseError['code'], reason: string) =>
  new ValidationError([{ in: 'body', name, code, detail: `${name} ${reason}` }]);

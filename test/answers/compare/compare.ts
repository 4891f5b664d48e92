import type { RecordedReply } from '../record/recording.js';
import { compareBodies, type BodyResult } from './bodies.js';
import { TagPairs } from './tag-pairs.js';
import { AllowedTexts, type TextChange } from './texts.js';

export const KINDS = ['request', 'status', 'header', 'body', 'connection'] as const;
export type Kind = (typeof KINDS)[number];

/** One difference between two replies. */
export interface Difference {
  kind: Kind;
  /** Describes the difference; equal differences have equal descriptions. */
  what: string;
  id: string;
}

export interface Comparison {
  /** Number of replies in both recordings. */
  compared: number;
  differences: Difference[];
  /** Every allowed change of a text, with the number of replies that it was applied to. */
  texts: { change: TextChange; count: number }[];
  /** Number of entity tags with another value, one for one. */
  renamedTags: number;
  /** Header names whose letter case differs, which is no difference in HTTP. */
  recased: string[];
}

/** Headers that are left out. */
const NOT_COMPARED = /^(date|ratelimit.*)$/;

/** Compares two recordings, reply by reply. */
export function compareRecordings(
  old: readonly RecordedReply[],
  newer: readonly RecordedReply[],
  allowed: readonly TextChange[] = [],
): Comparison {
  return new Comparing(new AllowedTexts(allowed)).run(old, newer);
}

type Pair = readonly [old: RecordedReply, newer: RecordedReply];

class Comparing {
  private readonly differences: Difference[] = [];
  private readonly tags = new TagPairs();
  private readonly recased = new Set<string>();
  /**
   * Lengths of bodies that differ, as `123>125`: no difference of their own, also in replies to
   * HEAD.
   */
  private readonly lengths = new Set<string>();

  private readonly bodies = new Map<string | null, Map<string | null, BodyResult>>();

  constructor(private readonly texts: AllowedTexts) {}

  run(old: readonly RecordedReply[], newer: readonly RecordedReply[]): Comparison {
    const pairs = this.pairs(old, newer);
    // Bodies first: they determine which lengths may differ.
    for (const pair of pairs) this.compareBodies(pair);
    for (const pair of pairs) this.compareHeads(pair);
    return {
      compared: pairs.length,
      differences: this.differences,
      texts: this.texts.counts(),
      renamedTags: this.tags.renamed,
      recased: [...this.recased].sort(),
    };
  }

  private pairs(old: readonly RecordedReply[], newer: readonly RecordedReply[]): Pair[] {
    const newById = new Map(newer.map((reply) => [reply.id, reply]));
    const oldIds = new Set(old.map(({ id }) => id));
    for (const { id } of newer) if (!oldIds.has(id)) this.add('request', 'only in the new recording', id);
    return old.flatMap((reply): Pair[] => {
      const other = newById.get(reply.id);
      if (other === undefined) this.add('request', 'only in the old recording', reply.id);
      else if (JSON.stringify(reply.request) !== JSON.stringify(other.request)) {
        this.add('request', 'the request is another one', reply.id);
      }
      return other === undefined ? [] : [[reply, other]];
    });
  }

  private compareBodies([old, newer]: Pair): void {
    if (old.body === newer.body) {
      const sameBytes = old.varies || newer.varies || old.sha256 === newer.sha256;
      if (!sameBytes) {
        this.add('body', `other bytes of the same text (${old.encoding ?? 'plain'})`, newer.id);
      }
      return;
    }
    this.lengths.add(`${old.bytes}>${newer.bytes}`);
    const { used, remaining } = this.compareTexts(old.body, newer.body);
    for (const change of used) this.texts.use(change);
    for (const what of remaining) this.add('body', what, newer.id);
  }

  /** Long bodies come again and again, so the result is kept. */
  private compareTexts(old: string | null, newer: string | null): BodyResult {
    let results = this.bodies.get(old);
    if (results === undefined) this.bodies.set(old, (results = new Map<string | null, BodyResult>()));
    let result = results.get(newer);
    if (result === undefined) results.set(newer, (result = compareBodies(old, newer, this.texts)));
    return result;
  }

  private compareHeads([old, newer]: Pair): void {
    const { id } = newer;
    if (old.line !== newer.line)
      this.add('status', `${old.line || 'no reply'} => ${newer.line || 'no reply'}`, id);
    if (old.connection !== newer.connection)
      this.add('connection', `${old.connection} => ${newer.connection}`, id);
    const [before, after] = [this.fields(old), this.fields(newer)];
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(name), after.get(name)];
      if (one !== undefined && other !== undefined) {
        if (one.spelling !== other.spelling) this.recased.add(`${one.spelling} => ${other.spelling}`);
        if (this.sameValue(name, one.value, other.value)) continue;
      }
      this.add('header', `${name}: ${one?.value ?? '(none)'} => ${other?.value ?? '(none)'}`, id);
    }
  }

  /** Headers by lower-case name; the values of equal names are joined. */
  private fields({ headers }: RecordedReply): Map<string, { spelling: string; value: string }> {
    const found = new Map<string, { spelling: string; value: string }>();
    for (const [spelling, value] of headers) {
      const name = spelling.toLowerCase();
      if (NOT_COMPARED.test(name)) continue;
      const earlier = found.get(name);
      found.set(name, { spelling, value: earlier === undefined ? value : `${earlier.value} | ${value}` });
    }
    return found;
  }

  private sameValue(name: string, old: string, newer: string): boolean {
    if (old === newer) return true;
    if (name === 'etag') return this.tags.match(old, newer);
    return name === 'content-length' && this.lengths.has(`${old}>${newer}`);
  }

  private add(kind: Kind, what: string, id: string): void {
    this.differences.push({ kind, what, id });
  }
}

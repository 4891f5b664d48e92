/** Stands for any text: `{…}` by its position, `{name}` by its name. */
const PLACEHOLDER = /\{(…|[A-Za-z_]\w*)\}/;
/** In a new text, a placeholder that the old text does not have: anything may stand there. */
const ANYTHING = '\ue000';

interface Part {
  text: string;
  /** Of a placeholder; null for literal text. Placeholders without a name are numbered. */
  name: string | null;
}

/** A sentence that was changed on purpose. */
export class TextChange {
  private readonly pattern: RegExp;
  private readonly names: string[];
  /** The new sentence, in every reading of its placeholders. */
  private readonly templates: readonly Part[][];

  constructor(
    readonly from: string,
    readonly to: string,
  ) {
    const old = parts(from);
    this.names = old.flatMap(({ name }) => name ?? []);
    this.templates = readings(parts(to), this.names);
    const source = old.map(({ text, name }, index) =>
      name === null ? escaped(text) : index === old.length - 1 ? '(.*)' : '(.*?)',
    );
    this.pattern = new RegExp(source.join(''), 'gs');
  }

  /**
   * The text with the old sentence replaced by the new one, in every reading; none where it does
   * not occur.
   */
  apply(text: string): string[] {
    if (text.search(this.pattern) < 0) return [];
    return this.templates.map((template) =>
      text.replaceAll(this.pattern, (...found: unknown[]) =>
        template.map((part) => (part.name === null ? part.text : this.captured(part.name, found))).join(''),
      ),
    );
  }

  toString(): string {
    return `${this.from} => ${this.to}`;
  }

  private captured(name: string, found: readonly unknown[]): string {
    const at = this.names.indexOf(name);
    return at < 0 ? ANYTHING : String(found[at + 1]);
  }
}

function parts(sentence: string): Part[] {
  let unnamed = 0;
  return sentence
    .split(PLACEHOLDER)
    .map((text, index): Part => {
      if (index % 2 === 0) return { text, name: null };
      return { text, name: text === '…' ? String(++unnamed) : text };
    })
    .filter(({ text, name }) => text !== '' || name !== null);
}

const isUnnamed = (name: string | null): name is string => name !== null && /^\d+$/.test(name);

/**
 * As many `{…}` on both sides are in the same order. Where one side has more of them, each of the
 * new ones may be any of the old ones.
 */
function readings(template: Part[], names: readonly string[]): Part[][] {
  const old = names.filter(isUnnamed);
  const count = template.filter(({ name }) => isUnnamed(name)).length;
  if (count === old.length || old.length === 0) return [template];
  let found: Part[][] = [[]];
  for (const part of template) {
    const choices = isUnnamed(part.name) ? old.map((name) => ({ ...part, name })) : [part];
    found = found.flatMap((start) => choices.map((choice) => [...start, choice]));
  }
  return found;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Parses a list of changed sentences: one `old text => new text` a line. Empty lines and lines that
 * start with `#` are skipped.
 * @throws Error naming the first malformed line
 */
export function readTexts(file: string): TextChange[] {
  return file.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [from, to, ...more] = line.split(' => ');
    if (!from || to === undefined || more.length > 0) {
      throw new Error(`Line ${index + 1} is not "old text => new text": ${line}`);
    }
    return [new TextChange(from, to)];
  });
}

/** Most changes that may come together in one text. */
const MAX_CHANGES = 3;
/** Longer texts are files, not sentences. */
const LONGEST = 20_000;

/** The allowed changes, with a count of their uses. */
export class AllowedTexts {
  private readonly uses: Map<TextChange, number>;
  private readonly explained = new Map<string, readonly TextChange[] | null>();

  constructor(private readonly changes: readonly TextChange[]) {
    this.uses = new Map(changes.map((change) => [change, 0]));
  }

  /** Counts a change that was applied to a reply. */
  use(change: TextChange): void {
    this.uses.set(change, (this.uses.get(change) ?? 0) + 1);
  }

  /** Every change, in the order of the list, with the number of replies that it was applied to. */
  counts(): { change: TextChange; count: number }[] {
    return [...this.uses].map(([change, count]) => ({ change, count }));
  }

  /** The changes that turn one text into the other; null where there are none. */
  explain(old: string, newer: string): readonly TextChange[] | null {
    const key = JSON.stringify([old, newer]);
    let found = this.explained.get(key);
    if (found === undefined) this.explained.set(key, (found = this.explainLines(old, newer)));
    return found;
  }

  /** A text of several lines is explained line by line. */
  private explainLines(old: string, newer: string): readonly TextChange[] | null {
    const [before, after] = [old.split('\n'), newer.split('\n')];
    if (before.length === 1 || before.length !== after.length) return this.search(old, newer);
    const used: TextChange[] = [];
    for (const [index, line] of before.entries()) {
      const found = line === after[index] ? [] : this.search(line, after[index]!);
      if (found === null) return null;
      used.push(...found);
    }
    return used;
  }

  private search(old: string, newer: string): readonly TextChange[] | null {
    if (old.length > LONGEST) return null;
    let tried: { text: string; used: readonly TextChange[] }[] = [{ text: old, used: [] }];
    for (let depth = 0; depth < MAX_CHANGES; depth++) {
      const next = new Map<string, readonly TextChange[]>();
      for (const { text, used } of tried) {
        for (const change of this.changes) {
          if (used.includes(change)) continue;
          for (const changed of change.apply(text)) {
            if (matches(changed, newer)) return [...used, change];
            if (!next.has(changed)) next.set(changed, [...used, change]);
          }
        }
      }
      tried = [...next].map(([text, used]) => ({ text, used }));
    }
    return null;
  }
}

function matches(template: string, text: string): boolean {
  if (!template.includes(ANYTHING)) return template === text;
  return new RegExp(`^${template.split(ANYTHING).map(escaped).join('.*')}$`, 's').test(text);
}

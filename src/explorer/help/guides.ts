import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { renderMarkdown, type RenderedMarkdown } from '../../web/markdown.js';
import { texts } from '../texts.js';
import type { GuideName } from '../texts/terms.js';

const NAMES = Object.keys(texts.help.guides) as GuideName[];

/** Whether a name is that of a guide. */
export const isGuide = (name: string): name is GuideName => Object.hasOwn(texts.help.guides, name);

/** The address of a guide or of a section in it. @param target such as `api/filters#facets` */
export function guideAddress(target: string): string {
  return `/help/guides/${target}`;
}

/** The guide that lists the pages of a guide's folder; null for a guide that is in no folder. */
export function indexGuideOf(name: GuideName): GuideName | null {
  const folder = posix.dirname(name);
  return isGuide(folder) ? folder : null;
}

/** The path of a guide in `docs/`. */
const pathOf = (name: GuideName): string =>
  NAMES.some((each) => indexGuideOf(each) === name) ? `${name}/README.md` : `${name}.md`;

/** Documents of `docs/`, as parts of pages. A service without that folder has none. */
export class Guides {
  /** Those that are there. */
  readonly names: readonly GuideName[];
  /** Of these, the ones that no other guide lists. */
  readonly listed: readonly GuideName[];
  private readonly rendered = new Map<GuideName, Promise<RenderedMarkdown>>();

  /** @param folder where the documents are, if it exists */
  constructor(private readonly folder: string) {
    this.names = NAMES.filter((name) => existsSync(this.fileOf(name)));
    this.listed = this.names.filter((name) => indexGuideOf(name) === null);
  }

  /** Whether there is a guide, with or without a section: `api`, `api/filters#facets`. */
  has(target: string): boolean {
    return (this.names as readonly string[]).includes(target.split('#', 1)[0]!);
  }

  /** A guide that is there, which is rendered when it is first asked for. */
  async read(name: GuideName): Promise<RenderedMarkdown> {
    let guide = this.rendered.get(name);
    if (guide === undefined) {
      guide = readFile(this.fileOf(name), 'utf8').then((source) =>
        renderMarkdown(source, (target) => this.addressOf(target, name)),
      );
      this.rendered.set(name, guide);
      guide.catch(() => this.rendered.delete(name));
    }
    return guide;
  }

  /** Links between guides stay links; what else they name in the repository is not online. */
  private addressOf(target: string, from: GuideName): string | null {
    if (target.startsWith('#')) return target;
    const [path, section] = target.split('#', 2) as [string, string?];
    const file = posix.join(posix.dirname(pathOf(from)), path);
    const name = this.names.find((each) => pathOf(each) === file);
    if (name === undefined) return null;
    return guideAddress(section === undefined ? name : `${name}#${section}`);
  }

  private fileOf(name: GuideName): string {
    return join(this.folder, pathOf(name));
  }
}

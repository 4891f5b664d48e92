/** Parts of an entity tag: weak or not, its value, and the suffix of the content encoding. */
const TAG = /^(W\/)?"(.*?)(-br|-gzip)?"$/;
/** Values that are digests, which may depend on the build. Versions of records are shorter. */
const DIGEST = /^[\w+/=.-]{16,}$/;

/**
 * Maps entity tags of the old recording to those of the new one. Tags of streamed replies depend on
 * the build, so digests may differ, but only one for one.
 */
export class TagPairs {
  private readonly newOf = new Map<string, string>();
  private readonly oldOf = new Map<string, string>();

  /** Number of tags with another value in the new recording. */
  get renamed(): number {
    return this.newOf.size;
  }

  /** Whether the new tag corresponds to the old one. */
  match(old: string, newer: string): boolean {
    if (old === newer) return true;
    const [, oldWeak, from = '', oldSuffix] = TAG.exec(old) ?? [];
    const [, newWeak, to = '', newSuffix] = TAG.exec(newer) ?? [];
    if (oldWeak !== newWeak || oldSuffix !== newSuffix) return false;
    if (!DIGEST.test(from) || !DIGEST.test(to)) return false;
    if ((this.newOf.get(from) ?? to) !== to || (this.oldOf.get(to) ?? from) !== from) return false;
    this.newOf.set(from, to);
    this.oldOf.set(to, from);
    return true;
  }
}

/** The oldest version that the service runs with; `engines` in package.json says the same. */
const OLDEST = [20, 19] as const;

/** The service does not run with this version of Node.js. */
export class UnsupportedNode extends Error {}

/** @throws UnsupportedNode for a version, such as `18.20.4`, that is too old */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new UnsupportedNode(`Node.js ${OLDEST.join('.')} or newer is needed, and this is ${version}.`);
}

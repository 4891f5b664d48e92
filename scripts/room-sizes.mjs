/*
 * The files and lines of each room of src/, without specs, at one commit or several side by side:
 *
 *   node scripts/room-sizes.mjs [COMMIT...]
 *
 * A room is a folder under src/; platform/ and reference/ are shown by folder. Without a commit it
 * is that of the checkout, HEAD.
 */
import { spawnSync } from 'node:child_process';

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const roomOf = (path) => {
  const folders = path.split('/').slice(1, -1);
  return folders.slice(0, /^(?:platform|reference)$/.test(folders[0]) ? 2 : 1).join('/') || '(src)';
};

/** @returns files and lines by room */
function sizesOf(commit) {
  const rooms = new Map();
  // Lines of each file against the empty tree.
  const empty = git('hash-object', '-t', 'tree', '/dev/null').trim();
  for (const line of git('diff', '--numstat', '--no-renames', empty, commit, '--', 'src').split('\n')) {
    const [added, , path] = line.split('\t');
    if (path === undefined || !/\.ts$/.test(path) || /\.spec\.ts$/.test(path)) continue;
    for (const room of [roomOf(path), 'all']) {
      const { files, lines } = rooms.get(room) ?? { files: 0, lines: 0 };
      rooms.set(room, { files: files + 1, lines: lines + Number(added) });
    }
  }
  return rooms;
}

const commits = process.argv.length > 2 ? process.argv.slice(2) : ['HEAD'];
const sizes = commits.map(sizesOf);
const names = [...new Set(sizes.flatMap((rooms) => [...rooms.keys()]))].sort();
const head = commits.flatMap((commit) => [`files ${commit}`, `lines ${commit}`]);
console.log(`| room | ${head.join(' | ')} |\n|---|${head.map(() => '--:|').join('')}`);
for (const name of names) {
  const cells = sizes.flatMap((rooms) => {
    const { files, lines } = rooms.get(name) ?? { files: '', lines: '' };
    return [files, lines.toLocaleString('en')];
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

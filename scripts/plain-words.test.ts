import { readFileSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

const root = join(__dirname, '..');
const sources = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.js', '.jsx', '.css', '.html', '.md', '.yaml', '.yml']);
const notOurs = new Set(['node_modules', 'dist', 'coverage', 'sbom']);

/** Words that make a reader stop, and plain replacements. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'name the role: the caller, the client, a person'],
  [/\banew\b/i, 'again'],
  [/\b(?:is|are|was|were|be|been|being)[\s/*]+told\b/i, 'publish, report, record, show'],
];

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && sources.has(extname(entry.name)) && entry.name !== basename(__filename)) yield path;
    // Hidden folders belong to tools.
    if (entry.isDirectory() && !entry.name.startsWith('.') && !notOurs.has(entry.name)) yield* filesBelow(path);
  }
}

test('sources and docs use plain words', () => {
  const files = [...filesBelow(root)];
  expect(files.length).toBeGreaterThan(1_500);
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return instead.flatMap(([word, better]) => {
      const at = word.exec(text)?.index;
      if (at === undefined) return [];
      return [`${path.slice(root.length + 1)}:${text.slice(0, at).split('\n').length}: ${better}`];
    });
  });
  expect(found).toEqual([]);
});

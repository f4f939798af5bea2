import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
/** The only module that maps public URLs to addresses in tests. */
const nameServer = 'shared/src/testing/public-address.ts';
/** Patterns that request only a part of a URL that the platform gave out. */
const rewriting: readonly RegExp[] = [
  /\.replace\((?:baseUrl|origin)\b/,
  /\.split\([^\n)]*\bbaseUrl\b/,
  /\.slice\((?:baseUrl|origin)\.length/,
  /<https?:[^>\n]*\(\[\^>\]\+\)>; rel=/,
  /\b(?:get|post|open|visit|send|goto|fetch)\([^\n;]*new URL\([^\n;]*\)\.(?:pathname|search)\b/,
  /\{[^}\n]*\bpathname, search\b[^}\n]*\} = new URL\(/,
];

const isOfTests = (path: string): boolean => /\.test\.tsx?$|\/testing\/|^e2e\/src\//.test(path);

const sources = ['services', 'gateway', 'console', 'embedded', 'packages', 'shared', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\/(?:node_modules|dist)\//.test(path) && isOfTests(path)),
);

test('tests request URLs of the platform unchanged', () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources
    .filter((path) => path !== nameServer)
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return rewriting.flatMap((form) => {
        const at = form.exec(text)?.index;
        return at === undefined ? [] : [`${path}:${text.slice(0, at).split('\n').length}: use atPublicAddress`];
      });
    });
  expect(found).toEqual([]);
});

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const folder = join(__dirname, '../dist/browser');
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    isEntry: z.boolean().default(false),
  }),
);
const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')));

/** The files that a chunk needs before it can run. */
function filesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...chunk.css]) seen.add(file);
  for (const imported of chunk.imports) filesOf(imported, seen);
  return seen;
}

/** Kilobytes (1,000 bytes) on the wire: brotli, as compressed by the build. */
const weightOf = (files: Iterable<string>): number =>
  [...files].reduce((bytes, file) => bytes + statSync(join(folder, `${file}.br`)).size, 0) / 1_000;

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
const first = filesOf(entry);
/** What every screen loads while it fetches its data. */
const ofFrame = ['browser/frame/dialogs.tsx', 'browser/frame/menus.tsx'];
const frame = new Set([...first, ...ofFrame.flatMap((name) => [...filesOf(name)])]);
const routes = (manifest[entry]?.dynamicImports ?? []).filter((name) => !ofFrame.includes(name));
const beyondFrame = (route: string): number => weightOf([...filesOf(route)].filter((file) => !frame.has(file)));

const explorer = 'browser/explorer/explorer.tsx';

test('what a page needs before its frame is seen is within its budget, and so are the menus and dialogs behind it', () => {
  expect(weightOf(first)).toBeGreaterThan(50);
  expect(weightOf(first)).toBeLessThanOrEqual(140);
  expect(weightOf(frame)).toBeLessThanOrEqual(180);
});

test('every screen is lazy', () => {
  expect(routes).toEqual(expect.arrayContaining([explorer, 'browser/home/home.tsx']));
  expect(routes.length).toBeGreaterThan(12);
});

test.each(routes.map((route) => ({ route, most: route === explorer ? 195 : 45 })))(
  '$route adds at most $most KB',
  ({ route, most }) => {
    expect(beyondFrame(route)).toBeGreaterThan(0);
    expect(beyondFrame(route)).toBeLessThanOrEqual(most);
  },
);

import { z } from 'zod';

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    css: z.array(z.string()).optional(),
    imports: z.array(z.string()).optional(),
  }),
);

/** What a page loads first: files as Vite names them, relative to its folder. */
export interface Entry {
  readonly script: string;
  readonly stylesheets: readonly string[];
  /** What the script imports at once, through others too. */
  readonly imports: readonly string[];
}

/** The entry in the text of Vite's `manifest.json` (Vite, "Backend Integration"); throws when there is not exactly one. */
export function readEntry(text: string): Entry {
  const manifest = manifestSchema.parse(JSON.parse(text));
  const [name, ...others] = Object.keys(manifest).filter((one) => manifest[one]?.isEntry);
  if (name === undefined || others.length > 0) throw new Error('The manifest of the browser part needs one entry');
  const names = new Set<string>();
  const visit = (one: string): void => {
    if (names.has(one)) return;
    names.add(one);
    manifest[one]?.imports?.forEach(visit);
  };
  visit(name);
  const chunks = [...names].flatMap((one) => manifest[one] ?? []);
  const [entry, ...imported] = chunks;
  return {
    script: entry?.file ?? '',
    stylesheets: [...new Set(chunks.flatMap(({ css = [] }) => css))],
    imports: imported.map(({ file }) => file),
  };
}

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

/** The files that a page loads first, under Vite's names, relative to its folder. */
export interface Entry {
  readonly script: string;
  readonly stylesheets: readonly string[];
  /** The script's static imports, including transitive ones. */
  readonly imports: readonly string[];
}

/** Reads the entry from Vite's `manifest.json` (Vite, "Backend Integration"); throws unless there is exactly one. */
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

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/**
 * The text between `<!-- generated: name -->` and `<!-- end of name -->` on a page such as `docs/events.md`. With
 * UPDATE_DOCS=1 it is first replaced by `text`.
 */
export function generatedPart(page: string, name: string, text: string): string {
  const path = join(root, page);
  const [begin, end] = [`<!-- generated: ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const [before, rest] = readFileSync(path, 'utf8').split(begin);
  const [found, after] = rest?.split(end) ?? [];
  if (found === undefined || after === undefined) throw new Error(`${page} has no part ${name}`);
  if (process.env['UPDATE_DOCS'] !== '1' || found === text) return found;
  writeFileSync(path, `${before}${begin}${text}${end}${after}`);
  return text;
}

/** A Markdown table; the first row has the column names. */
export const markdownTable = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

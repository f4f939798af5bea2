// node scripts/prose.mjs [--write]: Markdown pages with a paragraph on more than one line fail, or have its lines joined.
// Editors wrap lines, so a paragraph on one line needs no rule about width, and a change of one word is a change of one line.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { root, say } from './prepare.mjs';

const markdown = new MarkdownIt({ html: true });

/** The text with each paragraph on one line. Tables, code, HTML and lines that end in a forced break stay as they are. */
function unwrapped(text) {
  const lines = text.split('\n');
  for (const { type, map, children } of markdown.parse(text, {})) {
    if (type !== 'inline' || !children?.some((child) => child.type === 'softbreak')) continue;
    const [begin, end] = map;
    for (let at = end - 1; at > begin; at -= 1) {
      // Two blanks or a backslash force a break; a quotation repeats its sign on each line.
      if (/( {2}|\\)$/.test(lines[at - 1])) continue;
      lines[at - 1] = `${lines[at - 1]} ${lines[at].replace(/^[\s>]+/, '')}`;
      lines[at] = undefined;
    }
  }
  return lines.filter((line) => line !== undefined).join('\n');
}

/** Paths of the pages of the checkout, relative to its root. */
function pages() {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const { stdout } = spawnSync('git', listed, { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

for (const page of pages()) {
  const text = readFileSync(join(root, page), 'utf8');
  const wanted = unwrapped(text);
  if (wanted === text) continue;
  if (process.argv.includes('--write')) writeFileSync(join(root, page), wanted);
  else {
    say(`${page} has a paragraph on more than one line: node scripts/prose.mjs --write`);
    process.exitCode = 1;
  }
}

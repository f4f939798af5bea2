// Makes pages of the parts of the documentation that users of the API need, for the gateway to serve.
// node gateway/documentation/build.mjs [<folder of the documentation> <file that is written>]
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import markdownIt from 'markdown-it';

const here = dirname(fileURLToPath(import.meta.url));
const usual = { docs: join(here, '../../docs'), output: join(here, '../dist/documentation/pages.json') };

/** Rebuilds the pages when a source has changed; returns the number of pages that were built. */
export function buildDocumentation({ docs, output } = usual) {
  const files = [...readdirSync(join(docs, 'api')).map((file) => `api/${file}`), 'events.md', 'errors.md'];
  const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [fileURLToPath(import.meta.url), ...files.map((file) => join(docs, file))];
  if (Math.max(...sources.map(modified)) < modified(output)) return 0;
  const names = files.map((file) => basename(file, '.md')).sort();
  const pages = files.map((file) => pageOf(basename(file, '.md'), readFileSync(join(docs, file), 'utf8'), names));
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, JSON.stringify(pages));
  return pages.length;
}

function pageOf(name, text, names) {
  const markdown = markdownIt();
  const { rules } = markdown.renderer;
  const [, title = name] = /^# (.*)$/m.exec(text) ?? [];
  rules.heading_open = (tokens, index) => `<${tokens[index].tag} id="${anchorOf(tokens[index + 1].content)}">`;
  // A link to a file that is no page becomes plain text: readers of the pages have no checkout.
  let isLink = true;
  rules.link_open = (tokens, index) => {
    const address = addressOf(tokens[index].attrGet('href'), names);
    isLink = address !== undefined;
    return isLink ? `<a href="${markdown.utils.escapeHtml(address)}">` : '';
  };
  rules.link_close = () => (isLink ? '</a>' : '');
  // Scrollable regions must be focusable, so that the keyboard can scroll them.
  let tables = 0;
  rules.table_open = () => {
    tables += 1;
    return `<div class="scrolls" role="group" aria-label="Table ${tables}" tabindex="0"><table>`;
  };
  rules.table_close = () => '</table></div>';
  const { fence } = rules;
  rules.fence = (...given) => fence(...given).replace('<pre>', '<pre tabindex="0">');
  // An empty cell in the corner of a table is no heading.
  rules.th_open = (tokens, index, _options, _env, self) =>
    tokens[index + 1].content === '' ? '<td>' : self.renderToken(tokens, index, {});
  rules.th_close = (tokens, index, _options, _env, self) =>
    tokens[index - 1].content === '' ? '</td>' : self.renderToken(tokens, index, {});
  // HTML comments mark generated parts; they are left out.
  return { name, title, html: markdown.render(text.replace(/^<!--.*-->$/gm, '')) };
}

/** The target of a Markdown link on the pages; undefined when it leads to no page. */
function addressOf(link, names) {
  if (/^(https?:|#)/.test(link)) return link;
  const [path, anchor] = link.split('#');
  const name = basename(path, '.md');
  return names.includes(name) ? `/docs/v1/${name}${anchor === undefined ? '' : `#${anchor}`}` : undefined;
}

/** Anchors as GitHub derives them from headings, so that links work in both places. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { docs = usual.docs, output = usual.output } = { docs: process.argv[2], output: process.argv[3] };
  process.stdout.write(`Made ${buildDocumentation({ docs, output })} pages.\n`);
}

// Bundles GraphiQL with its dependencies, so that the page loads nothing from other origins.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, '../dist/explorer/assets');

const entries = {
  explorer: join(here, 'main.jsx'),
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
};

/** Rebuilds the assets when one of our sources or a dependency's version has changed; returns the number of assets. */
export function buildExplorer() {
  const sources = [...readdirSync(here).map((name) => join(here, name)), join(here, '../package.json')];
  const made = join(output, 'explorer.js.gz');
  const isFresh = existsSync(made) && sources.every((file) => statSync(file).mtimeMs < statSync(made).mtimeMs);
  if (isFresh) return 0;
  rmSync(output, { recursive: true, force: true });
  buildSync({
    entryPoints: entries,
    outdir: output,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    loader: { '.ttf': 'file' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
  });
  leaveFontsOut(join(output, 'explorer.css'));
  for (const name of readdirSync(output))
    writeFileSync(join(output, `${name}.gz`), gzipSync(readFileSync(join(output, name))));
  return Object.keys(entries).length;
}

/** Removes the 35 fonts in GraphiQL's stylesheet: a browser would load them before it paints. The page uses system fonts. */
function leaveFontsOut(stylesheet) {
  const isData = /@font-face\s*\{[^}]*url\(["']?data:[^}]*\}/g;
  writeFileSync(stylesheet, readFileSync(stylesheet, 'utf8').replace(isData, ''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`Made ${buildExplorer()} bundles.\n`);

// node scripts/compile-demo.mjs: compiles the texts of the demo's UI extension, so that npm start needs no sandbox for
// them. They are ours, so they need none here either.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const load = createRequire(import.meta.url);
const { uiExtension } = load(join(root, 'embedded/dist/demo/demo-data.js'));
const { laptopForm } = load(join(root, 'embedded/dist/demo/story/laptop-form.js'));
const { compileText } = load(join(root, 'services/ui-extensions/dist/compiler/compile-text.js'));
const { scopeAhead: scope } = load(join(root, 'services/ui-extensions/dist/compiler/compiled-ahead.js'));

const ahead = {};
for (const texts of [uiExtension, ...uiExtension.activations, { formDefinition: laptopForm }]) {
  for (const field of ['css', 'html', 'formDefinition']) {
    const text = texts[field];
    if (!text) continue;
    const outcome = compileText({ field, text, scope });
    if ('error' in outcome) throw new Error(`The ${field} of the demo's UI extension ${outcome.error}.`);
    (ahead[field] ??= {})[text] = outcome.compiled;
  }
}
const target = join(root, 'embedded/dist/demo/compiled-texts.json');
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, JSON.stringify(ahead));

/// <reference types="jest" />
/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTexts } from './texts';

const docs = readFileSync(join(__dirname, '../../../docs/api/deliveries.md'), 'utf8');
const inDocs = [...docs.slice(docs.indexOf('| Error class')).matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(
  ([, name = '', meaning = '']) => ({ name, meaning: `${meaning}.` }),
);

test('each error class of the docs has the sentence of the docs, and an advice', () => {
  expect(inDocs.length).toBeGreaterThan(10);
  expect(Object.entries(errorTexts).map(([name, { sentence }]) => ({ name, meaning: sentence }))).toEqual(inDocs);
  for (const { advice } of Object.values(errorTexts)) expect(advice).toMatch(/^[A-Z].*\.$/);
});

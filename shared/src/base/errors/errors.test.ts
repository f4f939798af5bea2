import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusOf } from './app-error';

test('docs/errors.md lists every code with its status, and no other', () => {
  const text = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [code, Number(status)]);
  expect(Object.fromEntries(rows)).toEqual(statusOf);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

test('each field with a rule in docs/api/graphql.md exists', () => {
  const rules = readFileSync(join(root, 'docs/api/graphql.md'), 'utf8').split('## Who reads which field')[1] ?? '';
  const named = [...(rules.split('\n## ')[0] ?? '').matchAll(/`([A-Z]\w+)\.(\w+)`/g)];
  const schema = `\n${readFileSync(join(root, 'console/schema.graphql'), 'utf8')}`;
  const has = (type: string, field: string): boolean =>
    new RegExp(`^  ${field}[(:]`, 'm').test(schema.split(`\ntype ${type} `)[1]?.split('\n}')[0] ?? '');
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(([, type = '', field = '']) => !has(type, field)).map(([name]) => name)).toEqual([]);
});

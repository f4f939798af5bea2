import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { buildASTSchema, parse } from 'graphql';
import { createConnection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import * as fields from '../record-types/fields';
import type { RecordType } from '../record-types/record-type';
import { createEngine } from './create-engine';
import { recordsPage } from './records-page';

const docs = join(__dirname, '../../../../docs');
const [begin, end] = ['<!-- declared -->\n', '\n<!-- end of declared -->'];

test('docs/api/records.md lists what the declarations say (UPDATE_DOCS=1 writes it)', () => {
  const path = join(docs, 'api/records.md');
  const page = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  const expected = before + begin + recordsPage(recordTypes) + end + after;
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, expected);
  expect(readFileSync(path, 'utf8')).toBe(expected);
});

test('docs/api/graphql.md names every type and leads to its page', () => {
  const page = readFileSync(join(docs, 'api/graphql.md'), 'utf8');
  expect(page).toContain('](records.md');
  for (const { graphqlName } of recordTypes)
    expect(page).toContain(`[${graphqlName}](records.md#${graphqlName.toLowerCase()})`);
});

test('the type of record that CONTRIBUTING adds becomes part of the schema', () => {
  const page = readFileSync(join(docs, '../CONTRIBUTING.md'), 'utf8');
  const [, declaration = ''] = /export const risk: RecordType = ({[^]*?\n});/.exec(page) ?? [];
  const risk = runInNewContext(`(${declaration})`, { fields }) as RecordType;
  const connection = createConnection();
  const { sdl = '', routes = [] } = createEngine(connection, [...recordTypes, risk]).api;
  const schema = buildASTSchema(parse(sharedTypeDefs + sdl), { assumeValidSDL: true });
  expect(schema.getType('Risk')).toBeDefined();
  expect(sdl).toMatch(/type Project [^}]*risks\(/);
  expect(sdl).toContain('riskCreate(input: RiskCreateInput!)');
  expect(routes.map(({ path }) => path)).toContain('/v1/risks');
});

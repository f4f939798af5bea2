import { generatedPart } from '@itsm/shared/testing/generated-part';
import { sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { buildASTSchema, parse } from 'graphql';
import { createConnection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import { typesWithAdded } from './added-types';
import { createEngine } from './create-engine';
import { recordsPage } from './records-page';

test('docs/api/records.md agrees with the declarations (UPDATE_DOCS=1 writes it)', () => {
  const text = recordsPage(recordTypes);
  expect(generatedPart('docs/api/records.md', 'records', text)).toBe(text);
});

test('added record types become part of the schema', () => {
  const { sdl = '', routes = [] } = createEngine(createConnection(), typesWithAdded).api;
  const schema = buildASTSchema(parse(sharedTypeDefs + sdl), { assumeValidSDL: true });
  for (const name of ['Risk', 'ConfigurationItem']) expect(schema.getType(name)).toBeDefined();
  expect(sdl).toMatch(/type Project [^}]*risks\(/);
  expect(sdl).toMatch(/type Request [^}]*configurationItem: ConfigurationItem\n/);
  expect(sdl).toMatch(/type ConfigurationItem [^}]*requests\(/);
  expect(sdl).toContain('riskCreate(input: RiskCreateInput!)');
  expect(sdl).toContain('configurationItemCreate(input: ConfigurationItemCreateInput!)');
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/risks', '/v1/cis']));
});

import { generatedPart } from '@itsm/shared/testing/generated-part';
import { kindsWithRisk, workedValue } from '@itsm/shared/testing/worked-changes';
import { sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { buildASTSchema, parse } from 'graphql';
import { createConnection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import * as fields from '../record-types/fields';
import { kind } from '../record-types/kind';
import type { RecordType } from '../record-types/record-type';
import { createEngine } from './create-engine';
import { recordsPage } from './records-page';

test('docs/api/records.md agrees with the declarations (UPDATE_DOCS=1 writes it)', () => {
  const text = recordsPage(recordTypes);
  expect(generatedPart('docs/api/records.md', 'records', text)).toBe(text);
});

test('the record type that CONTRIBUTING adds becomes part of the schema', () => {
  const ofRisk = (name: 'risk') => kind(name as never, kindsWithRisk);
  const risk = workedValue<RecordType>(/export const risk: RecordType = ({[^]*?\n});/, { fields, kind: ofRisk });
  const connection = createConnection();
  const { sdl = '', routes = [] } = createEngine(connection, [...recordTypes, risk]).api;
  const schema = buildASTSchema(parse(sharedTypeDefs + sdl), { assumeValidSDL: true });
  expect(schema.getType('Risk')).toBeDefined();
  expect(sdl).toMatch(/type Project [^}]*risks\(/);
  expect(sdl).toContain('riskCreate(input: RiskCreateInput!)');
  expect(routes.map(({ path }) => path)).toContain('/v1/risks');
});

import { generatedPart } from '@itsm/shared/testing/generated-part';
import { kindsWithRisk, workedValue } from '@itsm/shared/testing/worked-changes';
import { sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { systemClock } from '@itsm/shared/base/time/clock';
import { buildASTSchema, parse } from 'graphql';
import { createConnection } from 'mongoose';
import { createDirectoryRepository } from '../directory/directory.repository';
import { recordTypes } from '../record-types/all';
import * as fields from '../record-types/fields';
import { kind } from '../record-types/kind';
import type { RecordType } from '../record-types/record-type';
import { createRecords } from '../create-records';
import { createTrailKeeper } from '../store/trail-keeper';
import { createTrailRepository } from '../store/trail.repository';
import { recordsPage } from './records-page';
import { baseUrl, nodeIdDomain } from './start-graph';

test('docs/api/records.md lists what the declarations say (UPDATE_DOCS=1 writes it)', () => {
  const text = recordsPage(recordTypes);
  expect(generatedPart('docs/api/records.md', 'records', text)).toBe(text);
});

test('the type of record that CONTRIBUTING adds becomes part of the schema', () => {
  const ofRisk = (name: 'risk') => kind(name as never, kindsWithRisk);
  const risk = workedValue<RecordType>(/export const risk: RecordType = ({[^]*?\n});/, { fields, kind: ofRisk });
  const connection = createConnection();
  const trails = createTrailRepository(connection);
  const { typeDefs, routes } = createRecords({
    types: [...recordTypes, risk],
    connection,
    directory: createDirectoryRepository(connection),
    trails,
    trailKeeper: createTrailKeeper(trails),
    relay: { nudge: () => undefined },
    nodeIdDomain,
    baseUrl,
    now: systemClock,
  });
  const schema = buildASTSchema(parse(sharedTypeDefs + typeDefs), { assumeValidSDL: true });
  expect(schema.getType('Risk')).toBeDefined();
  expect(typeDefs).toMatch(/type Project [^}]*risks\(/);
  expect(typeDefs).toContain('riskCreate(input: RiskCreateInput!)');
  expect(routes.map(({ path }) => path)).toContain('/v1/risks');
});

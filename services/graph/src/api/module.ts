import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import type { Module, Platform, Route } from '@itsm/shared/running/module';
import { Router } from 'express';
import type { Directory } from '../directory/module';
import type { Reading } from '../read/module';
import type { AddressOf } from '../attachments/attachment.resolvers';
import { inverseRelations } from '../read/record-relations';
import { describeRecord } from '../record-types/describe-record';
import type { RecordType } from '../record-types/record-type';
import type { Store } from '../store/module';
import type { Writing } from '../write/module';
import type { Notices } from '../notices/module';
import { createNoticeReading } from './notice-reading';
import { createNoticeResolvers } from './notice.resolvers';
import { createNoticeRoutes } from './notice.routes';
import { noticeTypeDefs } from './notice.sdl';
import { createPreferenceResolvers, preferenceTypeDefs } from './preference.resolvers';
import { dateScalar, jsonScalar } from './shared.sdl';
import { createExtensionResolvers } from './extension.resolvers';
import { createAsideRoutes, createMoveRoutes, createStepRoutes } from './life-cycle.routes';
import { createRecordResolvers } from './record.resolvers';
import { createPartRoutes } from './part.routes';
import { createRecordRoutes } from './record.routes';
import { typeDefsOf } from './record.sdl';
import { createRelationResolvers } from './relation.resolvers';
import { createTrailResolvers } from './trail.resolvers';
import { createTrailRoutes } from './trail.routes';
import { createVisitResolvers, visitTypeDefs } from './visit.resolvers';

interface Needs {
  readonly types: readonly RecordType[];
  readonly store: Store;
  readonly reading: Reading;
  readonly writing: Writing;
  readonly notices: Notices;
  readonly directory: Directory;
  readonly addressOf: AddressOf;
}

export function createApi(
  { baseUrl, nodeIdDomain, now }: Platform,
  { types, store, reading, writing, notices, directory, addressOf }: Needs,
): Module {
  const { repositoryOf, trails } = store;
  const { readerOf } = reading;
  const { serviceOf, notes } = writing;
  const routeNeeds = { types, repositoryOf, readerOf, serviceOf, trails, notes, addressOf, nodeIdDomain, baseUrl };
  const noticeReading = createNoticeReading({ types, notices, readerOf, nodeIdDomain });
  return {
    sdl: [typeDefsOf(types), noticeTypeDefs(types), preferenceTypeDefs, visitTypeDefs].join('\n'),
    resolvers: mergeResolvers([
      { ISO8601Date: dateScalar, JSON: jsonScalar },
      ...types.map(({ name }) =>
        createRecordResolvers({ service: serviceOf(name), repository: repositoryOf(name), readerOf, nodeIdDomain }),
      ),
      createRelationResolvers(inverseRelations(types), readerOf, nodeIdDomain),
      createExtensionResolvers({
        repositories: types.map(({ name }) => repositoryOf(name)),
        readerOf,
        nodeIdDomain,
      }),
      createTrailResolvers({ types, trails, notes, readerOf, nodeIdDomain }),
      createNoticeResolvers({ types, notices, reading: noticeReading, readerOf, nodeIdDomain }),
      createPreferenceResolvers({ notices, directory: directory.store }),
      createVisitResolvers({ types, visits: notices.visits, readerOf, nodeIdDomain, now }),
    ]),
    types: types.map(describeRecord),
    routes: [
      ...createAsideRoutes(types, store.aside, routeNeeds),
      {
        path: '/v1/notices',
        access: 'caller',
        router: createNoticeRoutes({ notices, reading: noticeReading, nodeIdDomain, baseUrl }),
      },
      ...types.map((type): Route => ({
        path: `/v1/${type.plural}`,
        access: 'caller',
        router: Router().use(
          createRecordRoutes(type, routeNeeds),
          createTrailRoutes(type, routeNeeds),
          createPartRoutes(type, routeNeeds),
          createMoveRoutes(type, routeNeeds),
          createStepRoutes(type, routeNeeds),
        ),
      })),
    ],
  };
}

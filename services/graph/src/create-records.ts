import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Relay } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import { Router } from 'express';
import type { Connection } from 'mongoose';
import type { DirectoryRepository } from './directory/directory.repository';
import { createNoteService } from './write/note.service';
import type { TrailKeeper } from './store/trail-keeper';
import type { TrailRepository } from './store/trail.repository';
import { createTrailResolvers } from './api/trail.resolvers';
import { createTrailRoutes } from './api/trail.routes';
import { createChildrenRepository } from './store/children.repository';
import { dateScalar } from './api/date-scalar';
import type { RecordImporter } from './write/record-import';
import { createLookups } from './read/record-lookups';
import { createReaders } from './read/record-reader';
import { inverseRelations } from './read/record-relations';
import { inverseField, recordTypeDefs } from './api/record-sdl';
import type { RecordType } from './record-types/record-type';
import { upgradeRecords } from './store/record-upgrade';
import { createRecordWriter } from './write/record-writer';
import { createRecordRepository } from './store/record.repository';
import { createRecordResolvers } from './api/record.resolvers';
import type { ResolverMap } from './api/record.resolvers';
import { createRecordRoutes } from './api/record.routes';
import { createRecordService } from './write/record.service';
import type { RecordService } from './write/record.service';
import { createRelationResolvers } from './api/relation.resolvers';
import { recordSharedTypeDefs } from './api/shared-sdl';
import { createTypeImporter } from './write/type-importer';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly connection: Connection;
  readonly directory: DirectoryRepository;
  readonly trails: TrailRepository;
  readonly trailKeeper: TrailKeeper;
  readonly relay: Pick<Relay, 'nudge'>;
  readonly nodeIdDomain: string;
  /** Public origin, start of the links of REST collections. */
  readonly baseUrl: string;
  readonly now: Clock;
}

type TypeName = RecordType['name'];

/** The engine, running for all declared types. */
export interface Records {
  readonly typeDefs: string;
  readonly resolvers: ResolverMap;
  /** `/v1/<plural>` of every type, each to be mounted behind `authenticate`. */
  readonly routes: readonly { readonly path: string; readonly router: Router }[];
  readonly importer: RecordImporter;
  serviceOf(typeName: TypeName): RecordService;
  /** Makes the indexes and brings records of earlier versions into the present form. */
  prepareStore(): Promise<void>;
}

export function createRecords(dependencies: Dependencies): Records {
  const { types, connection, directory, trails, nodeIdDomain } = dependencies;
  const sequence = createSequence(connection);
  const repositories = new Map(types.map((type) => [type.name, createRecordRepository(connection, type)]));
  const repositoryOf = (typeName: TypeName) => declared(repositories, typeName);
  const openLookups = createLookups(directory, repositoryOf);
  const readerOf = createReaders({ repositoryOf, childrenOf: createChildrenRepository(connection), openLookups });
  const parts = types.map((type) => {
    const repository = repositoryOf(type.name);
    const writer = createRecordWriter({ ...dependencies, repository, sequence });
    const together = { ...dependencies, type, repository, writer, sequence, openLookups };
    return { type, service: createRecordService(together), importer: createTypeImporter(together) };
  });
  const services = new Map(parts.map(({ type, service }) => [type.name, service]));
  const importers = new Map(parts.map(({ type, importer }) => [type.name, importer]));
  const serviceOf = (typeName: TypeName) => declared(services, typeName);
  const relations = inverseRelations(types);
  const routeDependencies = { ...dependencies, repositoryOf, readerOf };

  return {
    typeDefs: typeDefsOf(types),
    resolvers: merged([
      { ISO8601Date: dateScalar },
      ...parts.map(({ type, service }) =>
        createRecordResolvers({ service, repository: repositoryOf(type.name), readerOf, nodeIdDomain }),
      ),
      createRelationResolvers(types, relations, readerOf, nodeIdDomain),
      createTrailResolvers({ types, trails, notes: createNoteService(serviceOf), readerOf, nodeIdDomain }),
    ]),
    routes: types.map((type) => {
      const router = Router();
      router.use(createRecordRoutes(type, routeDependencies), createTrailRoutes(type, routeDependencies));
      return { path: `/v1/${type.plural}`, router };
    }),
    importer: {
      columnsOf: (typeName) => declared(importers, typeName).columns,
      check: (typeName, caller) => declared(importers, typeName).check(caller),
      reserve: (typeName, rows) => declared(importers, typeName).reserve(rows),
      importRows: (typeName, ...rest) => declared(importers, typeName).importRows(...rest),
    },
    serviceOf,
    async prepareStore() {
      await Promise.all([...repositories.values()].map((repository) => repository.ensureIndexes()));
      await trails.ensureIndexes();
      for (const type of types) await upgradeRecords(connection, type, trails);
    },
  };
}

/** The schema of all declarations together. */
function typeDefsOf(types: readonly RecordType[]): string {
  const relations = inverseRelations(types);
  const inverseOf = (parent: string) => relations.filter((relation) => relation.parent === parent);
  const names = new Map(types.map((type) => [type.name, type.graphqlName]));
  const nameOf = (typeName: TypeName) => declared(names, typeName);
  const ofPerson = inverseOf('person').map(inverseField);
  return [
    recordSharedTypeDefs,
    `type Person @key(fields: "id") {\n    id: ID!\n    ${ofPerson.join('\n    ')}\n  }`,
    ...types.map((type) => recordTypeDefs(type, { nameOf, inverse: inverseOf(type.name) })),
  ].join('\n');
}

function declared<T>(things: ReadonlyMap<TypeName, T>, typeName: TypeName): T {
  const thing = things.get(typeName);
  if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
  return thing;
}

/** Each part adds members to types that others add to as well. */
function merged(maps: readonly ResolverMap[]): ResolverMap {
  const all: Record<string, ResolverMap[string]> = {};
  for (const [name, members] of maps.flatMap((map) => Object.entries(map))) {
    const known = all[name];
    all[name] = known === undefined ? members : { ...known, ...members };
  }
  return all;
}

import type { Caller } from '@itsm/shared/api/identity/caller';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { mergeResolvers } from '@itsm/shared/api/graphql/merge-resolvers';
import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { describe } from '@itsm/shared/declared/describe';
import { refusalOf } from '@itsm/shared/declared/read-input';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { ReaderOf } from '../read/record-reader';
import type { RecordType } from '../record-types/record-type';
import type { Kept, KeptType } from './kept';
import { createKeptEdits } from './kept.service';
import { createKeptRepository } from './kept.repository';
import { createKeptResolvers } from './kept.resolvers';
import { createKeptRouter } from './kept.routes';
import { savedListType } from './saved-list';
import { textTemplateType } from './text-template';

interface Needs {
  readonly types: readonly RecordType[];
  readonly readerOf: ReaderOf;
  readonly sequence: Sequence;
}

/** What people keep for themselves or share with a team: lists of records, and texts for notes. */
export function createKept(platform: Platform, { types, readerOf, sequence }: Needs): Module {
  const { connection, now, baseUrl, nodeIdDomain } = platform;
  const teamIdsOf = (caller: Caller) => readerOf({ caller }).naming('team', 'members');
  const teamOf = (caller: Caller, id: number) => readerOf({ caller }).load('team', id);
  const isTeam = async (caller: Caller, id: number) => (await teamOf(caller, id)) !== undefined;

  function keep<D extends KeptType>(type: D, check?: (record: Kept<D>) => void) {
    const kept = createKeptRepository(connection, type);
    const edits = createKeptEdits({ type, kept, teamIdsOf, isTeam, sequence, now, ...(check && { check }) });
    return {
      store: kept,
      sdl: declaredTypeDefs(type),
      resolvers: createKeptResolvers(type, { edits, readerOf, nodeIdDomain }),
      description: describe(type),
      route: {
        path: `/v1/${type.plural}`,
        access: 'caller',
        router: createKeptRouter(type, { edits, teamOf, baseUrl, nodeIdDomain }),
      } as const,
    };
  }

  const kinds = [
    keep(savedListType, ({ type }) => {
      if ([...types, recordKinds.person].some(({ graphqlName }) => graphqlName === type)) return;
      throw validationFailed([refusalOf(savedListType.fields[1], 'is not a type of record')]);
    }),
    keep(textTemplateType),
  ];
  return {
    sdl: kinds.map(({ sdl }) => sdl).join('\n'),
    resolvers: mergeResolvers(kinds.map(({ resolvers }) => resolvers)),
    types: kinds.map(({ description }) => description),
    routes: kinds.map(({ route }) => route),
    stores: kinds.map(({ store }) => store),
  };
}

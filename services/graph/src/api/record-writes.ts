import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { jsonOrFormBody } from '@itsm/shared/api/http/form-body';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Writes } from '@itsm/shared/declared/edits';
import type { Request } from 'express';
import type { AddressOf } from '../attachments/attachment.resolvers';
import { flat } from '../record-types/record';
import type { FlatRecord, ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { parseBody, toFieldErrors } from '../write/record.input';
import type { Input, ParsedInput } from '../write/record.input';
import type { ReaderOf } from '../read/record-reader';
import type { RecordRepository } from '../store/record.repository';
import type { Outcome } from '../write/outcome';
import type { RecordService } from '../write/record.service';
import { createRecordView } from './record-view';
import { createRecordResource } from './record.resource';

/** What the routes of a type need. */
export interface RouteDependencies {
  readonly types: readonly RecordType[];
  readonly repositoryOf: (typeName: RecordType['name']) => RecordRepository;
  readonly readerOf: ReaderOf;
  readonly serviceOf: (typeName: RecordType['name']) => RecordService;
  readonly addressOf: AddressOf;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** The mutations of the type, for its routes. */
export function writesOf(type: RecordType, { serviceOf }: RouteDependencies): Writes<ParsedInput, FlatRecord> {
  const service = serviceOf(type.name);
  const { create, update } = type.mutations;
  return {
    ...(create && {
      create: async (caller, given) => writtenBy(await service.create(caller.accountId, caller, given)),
    }),
    ...(update && {
      update: async (caller, id, given, check) =>
        writtenBy(await service.update(caller.accountId, caller, id, given, check && ofRecord(check))),
    }),
  };
}

/** A check of the record as its service has it. */
export const ofRecord =
  (check: (current: FlatRecord) => Promise<void>) =>
  (current: ItsmRecord): Promise<void> =>
    check(flat(current));

/** The written record; throws a 422 for refusals. */
export function writtenBy(outcome: Outcome): FlatRecord {
  if ('errors' in outcome) throw validationFailed(toFieldErrors(outcome.errors));
  return flat(outcome.record);
}

/** As much as a body of GraphQL, since texts of 64 KB have room in it. */
export const bodyOfWrites = jsonOrFormBody('1mb');

/** How the writes of a type are read and answered. */
export function writingNeeds(
  type: RecordType,
  { types, readerOf, addressOf, nodeIdDomain, baseUrl }: RouteDependencies,
) {
  return {
    resource: createRecordResource(type),
    async viewOf(caller: Caller, record: FlatRecord, fields?: readonly string[]) {
      const { lookups } = readerOf({ caller });
      const { view, remember } = createRecordView({ types, caller, lookups, addressOf, nodeIdDomain });
      await remember(type, [record], fields);
      return view;
    },
    baseUrl,
    collection: `/v1/${type.plural}`,
    nodeIdDomain,
    body: bodyOfWrites,
    read: ({ body }: Request): ParsedInput | Promise<ParsedInput> => parseBody(type, nodeIdDomain, body as Input),
    editors: type.mutations,
  };
}

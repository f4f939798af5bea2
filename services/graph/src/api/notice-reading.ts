import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { isPermitted } from '@itsm/shared/api/identity/allow';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { textIn } from '@itsm/shared/declared/values';
import type { Notices } from '../notices/module';
import type { Notice } from '../notices/notice.repository';
import type { ReaderOf } from '../read/record-reader';
import { titleField } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { namedRecord } from './named-record';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly notices: Notices;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

type Context = Pick<SubgraphContext, 'caller'>;

/** Which notices to mark as read: exactly one of these. */
export interface ReadGiven {
  readonly ids?: readonly string[] | null | undefined;
  readonly recordId?: string | null | undefined;
  readonly until?: string | null | undefined;
}

/** The record of a notice, whatever its type. */
export interface NoticeRecord {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly title: string;
  readonly status: string | undefined;
}

/** Notices that one call marks as read by their ids. */
export const mostRead = 100;

/** What the caller's notices are about, and marking them as read, for GraphQL and REST. */
export interface NoticeReading {
  /** Marks notices as read, and counts those that are left; `recordMember` is the name of that member for the caller. */
  read(given: ReadGiven, context: Context, recordMember: string): Promise<{ readonly unread: number }>;
  /** Null when the caller no longer sees it, or may not read its type. */
  recordOf(notice: Notice, context: Context): Promise<NoticeRecord | null>;
}

export function createNoticeReading({
  types,
  notices: { notices },
  readerOf,
  nodeIdDomain,
}: Dependencies): NoticeReading {
  const numberIn = (nodeId: string): number => {
    const id = parseRecordId(nodeIdDomain, 'Notice', nodeId);
    if (id === undefined) throw notFound();
    return id;
  };

  async function meantBy({ ids, recordId, until }: ReadGiven, context: Context, recordMember: string) {
    if ([ids, recordId, until].filter((given) => given != null).length !== 1)
      throw validationFailed([['', `Give exactly one of ids, ${recordMember} and until`]]);
    if (ids && ids.length > mostRead) throw validationFailed([['ids', `has more than ${mostRead} items`]]);
    if (ids) return { ids: ids.map(numberIn) };
    if (until != null) return { until: numberIn(until) };
    const { type, id } = namedRecord(types, nodeIdDomain, recordId ?? '');
    if (!(await readerOf(context).load(type.name, id))) throw notFound();
    return { recordType: type.name, recordId: id };
  }

  return {
    async read(given, context, recordMember) {
      const { caller } = context;
      await notices.read(caller, await meantBy(given, context, recordMember));
      return { unread: await notices.source(caller, { unread: true }).count() };
    },
    async recordOf({ recordType, recordId }, context) {
      const type = types.find(({ name }) => name === recordType);
      if (!type || !isPermitted(context.caller, `${modelName(type)}:Read`)) return null;
      const record = await readerOf(context).load(type.name, recordId);
      if (!record) return null;
      return {
        id: toNodeId(nodeIdDomain, type.graphqlName, recordId),
        number: recordId,
        type: type.graphqlName,
        title: textIn(record.values, titleField(type)) ?? '',
        status: textIn(record.values, 'status'),
      };
    },
  };
}

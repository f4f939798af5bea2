import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { ReaderOf } from '../read/record-reader';
import { countUnfit } from '../read/unfit-records';
import type { RecordRepository } from '../store/record.repository';

interface Extension {
  readonly id: string;
}

interface Dependencies {
  readonly repositories: readonly RecordRepository[];
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

/** What this service knows of UI extensions, which ui-extensions owns. */
export const createExtensionResolvers = ({ repositories, readerOf, nodeIdDomain }: Dependencies): ResolverMap => ({
  UiExtension: {
    __resolveReference: ({ id }: Extension) => Promise.resolve({ id }),
    unfitRecords: allowed<unknown, Extension>(
      'ui-extension:Read',
      async ({ id }, _args, context) => {
        const number = parseRecordId(nodeIdDomain, 'UiExtension', id);
        const form = number === undefined ? undefined : await readerOf(context).lookups.forms.load(number);
        return form ? countUnfit(repositories, context.caller.accountId, form) : null;
      },
      'account_administrator',
    ),
  },
});

import { useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { graphql, run } from '../api/graphql';
import type { Answer, ResultOf } from '../api/graphql';
import { nameOf, useDocument } from '../api/queries';

const bell = graphql(`
  query Bell {
    notices(last: 50, filter: { unread: true }) {
      totalCount
      nodes {
        id
        record {
          id
          number
          type
        }
      }
    }
  }
`);

const reading = graphql(`
  mutation ReadNotices($input: NoticesReadInput!) {
    noticesRead(input: $input) {
      unread
      errors {
        message
      }
    }
  }
`);

/** The name of the document of the page of notices, which is read again after one was read. */
export const listName = 'Notices';

const lookMilliseconds = 60_000;

/** What the person has not read yet: how much, and of which records. */
export const useBell = (account: string): UseQueryResult<Answer<ResultOf<typeof bell>>> =>
  useDocument(bell, {}, account, { pollEvery: () => lookMilliseconds });

/** Which notices were read: those of a record, or one and all before it. */
type Which = { readonly recordId: string } | { readonly until: string };

/** Marks notices as read. */
export function useReadNotices(account: string): (which: Which) => Promise<void> {
  const client = useQueryClient();
  return async (input) => {
    await run(reading, { input }, account);
    await Promise.all([nameOf(bell), listName].map((name) => client.invalidateQueries({ queryKey: [account, name] })));
  };
}

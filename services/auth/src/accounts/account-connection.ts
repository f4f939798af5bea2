import { badRequest } from '@itsm/shared/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/graphql/connections';
import type { Account } from './account';
import type { AccountConditions, AccountRepository } from './account.repository';

/** One page of accounts in order of their slug; the shape and the rules of `loadConnection`, which goes by number. */
export async function loadAccountConnection(
  args: ConnectionArgs,
  where: AccountConditions,
  accounts: Pick<AccountRepository, 'list' | 'count'>,
) {
  const size = args.first ?? args.last ?? 0;
  if (size < 1 || size > 100 || (args.first != null && args.last != null)) {
    throw badRequest('Exactly one of `first` and `last` is required, from 1 to 100');
  }
  const from = args.first == null ? 'end' : 'start';
  const [after, before] = [slugIn('after', args.after), slugIn('before', args.before)];
  // One more than asked tells whether there is another page.
  const found = await accounts.list(where, { after, before, limit: size + 1, from });
  const more = found.length > size;
  const nodes = from === 'start' ? found.slice(0, size) : found.slice(-size);
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  return {
    nodes,
    edges,
    pageInfo: {
      hasNextPage: from === 'start' ? more : before !== undefined,
      hasPreviousPage: from === 'end' ? more : after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    // A store's query is a thenable that can be read only once; a promise can be read by everybody.
    totalCount: async () => await accounts.count(where),
  };
}

const cursorOf = ({ id }: Account): string => Buffer.from(`account:${id}`).toString('base64url');

function slugIn(argument: string, cursor: string | null | undefined): string | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const slug = /^account:([a-z0-9-]{1,63})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (slug === undefined) throw badRequest(`\`${argument}\` is not a cursor of this connection`);
  return slug;
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { withSettings } from './built-document';
import { ApiError } from './errors';
import type { Answer } from './graphql';
import { useDocument } from './queries';
import { rest } from './rest';

/** The query of them, for what is done before a screen has them. */
export const typesOptions = (account: string) =>
  queryOptions({
    queryKey: ['types'],
    queryFn: ({ signal }) => rest<readonly TypeDescription[]>(account, '/types', { signal }),
    staleTime: 600_000,
  });

/** What the platform says about its types. It has no data, so it is the same for all accounts. */
export const useTypes = (account: string): UseQueryResult<readonly TypeDescription[]> =>
  useQuery(typesOptions(account));

/** What the platform says about one of its types. */
export const useType = (name: string, account: string): UseQueryResult<TypeDescription> =>
  useQuery({
    ...typesOptions(account),
    select: (types) => {
      const type = types.find((one) => one.name === name);
      if (type) return type;
      throw new ApiError({
        kind: 'broken',
        message: 'The platform does not describe this form.',
        requestId: undefined,
      });
    },
  });

interface Typed<Data> {
  readonly described: UseQueryResult<TypeDescription>;
  readonly query: UseQueryResult<Answer<Data>>;
}

/**
 * The result of a document, which also asks for each described setting that its fragment on the type does not name. A
 * platform without descriptions is asked for what the fragment names.
 */
export function useTyped<Data, Variables>(
  name: string,
  { document, fragment }: { readonly document: TadaDocumentNode<Data, Variables>; readonly fragment: string },
  variables: Variables,
  account: string,
): Typed<Data> {
  const described = useType(name, account);
  const whole = described.data ? withSettings(document, fragment, described.data) : document;
  const query = useDocument(whole, variables, account, { isEnabled: described.isFetched });
  // A document that failed beside the description is behind its panel, and would need a second "Try again".
  const refetch: typeof described.refetch = (options) => {
    if (query.isError) void query.refetch();
    return described.refetch(options);
  };
  return { described: { ...described, refetch }, query };
}

import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { ReactNode } from 'react';
import { useAccount } from '../frame/account';
import { neededScopes } from './needed-scopes';
import { newTokenAddress, useScopes } from './use-scopes';

/** The actions that a token needs for a document, with a link to create one; nothing while that is unknown. */
export function ScopesLine({
  document,
  operation,
  schema,
  title,
}: {
  readonly document: DocumentNode;
  /** The name of the selected operation, if it has one. */
  readonly operation: string | undefined;
  readonly schema: GraphQLSchema;
  readonly title: string;
}): ReactNode {
  const { account } = useAccount();
  const { data: scopes } = useScopes(account);
  if (!scopes) return null;
  const needed = neededScopes(document, operation, schema, scopes);
  if (needed.length === 0) return null;
  const labels = new Map(scopes.actions.map(({ action, label }) => [action, label]));
  return (
    <p className="scopes meta">
      <span>
        A token needs{' '}
        {needed.map((action, index) => (
          <span key={action}>
            {index > 0 && ', '}
            <code title={labels.get(action)}>{action}</code>
          </span>
        ))}
      </span>
      <a href={newTokenAddress(title, needed, account)}>Create a token for this</a>
    </p>
  );
}

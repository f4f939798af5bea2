import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import type { Kind } from './kinds';

const listeners = graphql(`
  query RecordWebhooks($first: Int!) {
    webhooks(first: $first) {
      totalCount
      nodes {
        id
        name
        event
      }
    }
  }
`);

/** What webhooks heard of a record: its deliveries, and for each webhook of its kind why it did not hear. */
export function RecordWebhooks({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account } = useAccount();
  const query = useDocument(listeners, { first: 100 }, account);
  const plural = kind.plural === 'people' ? 'people' : `${kind.noun}s`;
  return (
    <Panel title="Webhooks">
      <p>
        <Link to="/accounts/$account/deliveries" params={{ account }} search={{ object: `${kind.plural}/${number}` }}>
          Deliveries of this record
        </Link>
      </p>
      <Fetched query={query} rows={2}>
        {({ data }) => {
          const found = (data.webhooks?.nodes ?? []).filter(({ event }) => event.startsWith(`${kind.event}.`));
          if (found.length === 0)
            return (
              <p>
                No webhook of this account listens to {plural}.{' '}
                <Link
                  to="/accounts/$account/webhooks/new"
                  params={{ account }}
                  search={{ event: `${kind.event}.update` }}
                >
                  New webhook
                </Link>
              </p>
            );
          return (
            <>
              <p>Why did a webhook not hear of it?</p>
              <ul>
                {found.map(({ id, name, event }) => (
                  <li key={id}>
                    <Link
                      to="/accounts/$account/webhooks/$webhook/why"
                      params={{ account, webhook: numberOf(id) }}
                      search={{ object: `${kind.plural}/${number}` }}
                    >
                      {name ?? event}
                    </Link>{' '}
                    <span className="meta">{event}</span>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Fetched>
    </Panel>
  );
}

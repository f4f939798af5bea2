import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { formatNumber } from '../design/formats';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import type { Kind } from './kinds';

const listeners = graphql(`
  query RecordWebhooks($first: Int!, $events: [WebhookEvent!]!) {
    webhooks(first: $first, filter: { event: { values: $events } }, order: [{ field: name }]) {
      totalCount
      nodes {
        id
        name
        event
      }
    }
  }
`);

const most = 20;

/** The deliveries of a record's events, and for each webhook of its kind why it was not called. */
export function RecordWebhooks({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account } = useAccount();
  const query = useDocument(listeners, { first: most, events: [...kind.events] }, account);
  return (
    <Panel title="Webhooks">
      <p>
        <Link to="/accounts/$account/deliveries" params={{ account }} search={{ object: `${kind.plural}/${number}` }}>
          Deliveries of this record
        </Link>
      </p>
      <Fetched query={query} rows={2}>
        {({ data }) => {
          const { nodes: found = [], totalCount = 0 } = data.webhooks ?? {};
          if (found.length === 0)
            return (
              <p>
                No webhook is registered for {kind.nouns}.{' '}
                <Link
                  to="/accounts/$account/webhooks/new"
                  params={{ account }}
                  search={{ event: `${kind.name}.update` }}
                >
                  New webhook
                </Link>
              </p>
            );
          return (
            <>
              <p>Why was a webhook not called?</p>
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
              {totalCount > found.length && (
                <p className="meta">
                  {found.length} of {formatNumber(totalCount)} webhooks for {kind.nouns} are listed.
                </p>
              )}
            </>
          );
        }}
      </Fetched>
    </Panel>
  );
}

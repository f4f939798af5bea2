import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { isAdministrator } from '../api/roles';
import { buttonClass } from '../design/button';
import { Empty } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched, NotAllowed } from '../frame/fetched';
import { Page } from '../frame/page';
import { verdictTexts } from './why-checks';
import { anyWebhook, explainEverywhere, mostExplained } from './why-document';
import { parseRecord } from '../parts/named-record';
import { RecordEvents, RecordForm } from './why-search';
import type { SeenEvent } from './why-search';
import { EventDetails, VerdictBadge } from './why-verdicts';

/** The webhooks of the account that were called for a record, and why the others were not. */
export function WhyEverywhere(): ReactNode {
  const { account, session } = useAccount();
  return (
    <Page title="Why was it not delivered?" crumbs={[{ label: 'Webhooks', to: `/accounts/${account}/webhooks` }]}>
      {isAdministrator(session) ? (
        <Search />
      ) : (
        <div className="panel">
          <NotAllowed />
        </div>
      )}
    </Page>
  );
}

function Search(): ReactNode {
  const { account } = useAccount();
  const { object } = useSearch({ from: '/accounts/$account/webhooks/why' });
  const navigate = useNavigate({ from: '/accounts/$account/webhooks/why' });
  const any = useDocument(anyWebhook, {}, account);
  const record = object === undefined ? undefined : parseRecord(object);
  return (
    <Fetched query={any}>
      {({ data }) => {
        const first = data.webhooks?.nodes[0];
        if (!first) return <NoWebhooks />;
        return (
          <>
            <RecordForm object={object} onAsk={(text) => void navigate({ search: { object: text } })} />
            {record ? (
              <RecordEvents key={record.number} webhook={numberOf(first.id)} record={record} wanted={null}>
                {(events) => <Events events={events} />}
              </RecordEvents>
            ) : (
              <p className="muted prose">
                Shows each event of the record in the last 30 days, and what each webhook did.
              </p>
            )}
          </>
        );
      }}
    </Fetched>
  );
}

function NoWebhooks(): ReactNode {
  const { account } = useAccount();
  return (
    <div className="panel">
      <Empty
        title="There are no webhooks in this account."
        action={
          <Link className={buttonClass('primary')} to="/accounts/$account/webhooks/new" params={{ account }}>
            New webhook
          </Link>
        }
      />
    </div>
  );
}

function Events({ events }: { readonly events: readonly SeenEvent[] }): ReactNode {
  return (
    <>
      <ol className="stack">
        {events.slice(0, mostExplained).map((event, index) => (
          <li key={event.id} className="panel">
            <EventEverywhere event={event} isFirst={index === 0} />
          </li>
        ))}
      </ol>
      {events.length > mostExplained && (
        <p className="meta">
          The newest {mostExplained} of {events.length} events are shown.
        </p>
      )}
    </>
  );
}

/** Fetched when it is opened, since each is a call. */
function EventEverywhere({
  event: { id, event = '', occurred_at: occurredAt },
  isFirst,
}: {
  readonly event: SeenEvent;
  readonly isFirst: boolean;
}): ReactNode {
  return (
    <EventDetails title={event} occurredAt={occurredAt ?? null} isFirst={isFirst}>
      {(heading, isOpen) => isOpen && <Listeners eventId={id} event={event} heading={heading} />}
    </EventDetails>
  );
}

function Listeners({
  eventId,
  event,
  heading,
}: {
  readonly eventId: string;
  readonly event: string;
  readonly heading: string;
}): ReactNode {
  const { account } = useAccount();
  const query = useDocument(explainEverywhere, { eventId, event }, account);
  return (
    <Fetched query={query} rows={2}>
      {({ data }) => {
        const { nodes = [], totalCount = 0 } = data.webhooks ?? {};
        if (nodes.length === 0)
          return (
            <p>
              No webhook is registered for {event}.{' '}
              <Link to="/accounts/$account/webhooks/new" params={{ account }} search={{ event }}>
                Add a webhook for it
              </Link>
            </p>
          );
        return (
          <>
            <ul className="stack" aria-labelledby={heading}>
              {nodes.map(({ id, name, explain }) => (
                <li key={id}>
                  <div className="row">
                    {explain && <VerdictBadge verdict={explain.verdict} />}
                    <Link
                      to="/accounts/$account/webhooks/$webhook/why"
                      params={{ account, webhook: numberOf(id) }}
                      search={{ event: eventId }}
                    >
                      {name}
                    </Link>
                  </div>
                  {explain && (
                    <p className="meta">
                      {verdictTexts[explain.verdict]} {explain.reason}
                    </p>
                  )}
                </li>
              ))}
            </ul>
            {totalCount > nodes.length && (
              <p className="meta">
                {nodes.length} of {totalCount} webhooks are shown.
              </p>
            )}
          </>
        );
      }}
    </Fetched>
  );
}

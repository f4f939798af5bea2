import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { Button } from '../design/button';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { mostExplained, whyWebhook } from './why-document';
import { parseRecord } from '../parts/named-record';
import { RecordEvents, RecordForm } from './why-search';
import type { SeenEvent } from './why-search';
import { Verdicts } from './why-verdicts';
import type { WhyWebhook } from './why-verdicts';

/** Explains why a webhook was or was not called for a record. */
export function WhyPage(): ReactNode {
  const { webhook: id } = useParams({ from: '/accounts/$account/webhooks/$webhook/why' });
  const { account } = useAccount();
  const query = useDocument(whyWebhook, { id }, account);
  const name = query.data?.data.webhook?.name;
  const path = `/accounts/${account}/webhooks`;
  return (
    <Page
      title={name === undefined ? 'Why was it not delivered?' : `Why was it not delivered to ${name}?`}
      crumbs={[{ label: 'Webhooks', to: path }, ...(name === undefined ? [] : [{ label: name, to: `${path}/${id}` }])]}
    >
      <Fetched query={query}>
        {({ data: { webhook } }) =>
          webhook ? (
            <Search id={id} webhook={webhook} />
          ) : (
            <NotThere what={`webhook ${id}`} list="webhooks" all="all webhooks" />
          )
        }
      </Fetched>
    </Page>
  );
}

function Search({ id, webhook }: { readonly id: string; readonly webhook: WhyWebhook }): ReactNode {
  const { object, event } = useSearch({ from: '/accounts/$account/webhooks/$webhook/why' });
  const navigate = useNavigate({ from: '/accounts/$account/webhooks/$webhook/why' });
  const record = object === undefined ? undefined : parseRecord(object);
  return (
    <>
      <RecordForm object={object} onAsk={(text) => void navigate({ search: { object: text } })} />
      {record && (
        <RecordEvents
          key={record.number}
          webhook={id}
          record={record}
          wanted={
            <>
              {webhook.name} is called for <code>{webhook.event}</code>.
            </>
          }
        >
          {(events) => <EventsOf id={id} webhook={webhook} events={events} only={event} />}
        </RecordEvents>
      )}
      {!record && event !== undefined && (
        <Verdicts id={id} webhook={webhook} events={[{ id: event, event: undefined }]} />
      )}
      {object === undefined && event === undefined && (
        <p className="muted prose">
          Shows each event of the record in the last 30 days, and what the webhook did. {webhook.name} is called for{' '}
          <code>{webhook.event}</code>.
        </p>
      )}
    </>
  );
}

function EventsOf({
  id,
  webhook,
  events,
  only,
}: {
  readonly id: string;
  readonly webhook: WhyWebhook;
  readonly events: readonly SeenEvent[];
  readonly only: string | undefined;
}): ReactNode {
  const [isAll, setAll] = useState(false);
  const asked = only !== undefined && !isAll ? events.filter((one) => one.id === only) : events;
  const first = asked.filter(({ event }) => event === webhook.event).slice(0, mostExplained);
  const others = asked.filter(({ event }) => event !== webhook.event).slice(0, mostExplained - first.length);
  return (
    <>
      <Verdicts id={id} webhook={webhook} events={[...first, ...others]} />
      {asked.length < events.length && (
        <div>
          <Button onPress={() => setAll(true)}>Show other events of the record</Button>
        </div>
      )}
      {asked.length > mostExplained && (
        <p className="meta">
          The newest {mostExplained} of {asked.length} events are shown, those for this webhook first.
        </p>
      )}
    </>
  );
}

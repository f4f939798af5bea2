import './deliveries.css';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { CopyField } from '../design/code';
import { Badge } from '../design/badge';
import { Facts, Panel } from '../design/panel';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { DeliveryBadge } from '../parts/delivery-row';
import { numberOf } from '../api/number';
import { Attempts } from './attempts';
import { DeliveryActions } from './delivery-actions';
import { DeliveryBanner } from './delivery-banner';
import { deliveryDetail } from './document';
import type { Delivery } from './document';
import { RecordLink } from './record-link';
import { Relatives } from './relatives';
import { RequestPanel } from './request-panel';

/** One delivery: the request, each attempt and its result, and what comes next. */
export function DeliveryPage(): ReactNode {
  const { delivery: id } = useParams({ from: '/accounts/$account/deliveries/$delivery' });
  const { account } = useAccount();
  const query = useDocument(deliveryDetail, { id }, account, {
    pollEvery: (known) => pollEvery(known?.webhookDelivery),
  });
  const delivery = query.data?.data.webhookDelivery;
  const crumbs = [{ label: 'Deliveries', to: `/accounts/${account}/deliveries` }];
  if (!delivery)
    return (
      <Page title="Delivery" crumbs={crumbs}>
        <Fetched query={query}>
          {() => (
            <NotThere what="such delivery" list="deliveries" all="today’s deliveries">
              <p>Deliveries are kept for 30 days.</p>
            </NotThere>
          )}
        </Fetched>
      </Page>
    );
  return (
    <Page
      title={`${delivery.event} → ${delivery.webhook.name}`}
      crumbs={crumbs}
      badge={
        <>
          <DeliveryBadge delivery={delivery} />
          {delivery.test && <Badge tone="draft">Test</Badge>}
        </>
      }
      actions={<DeliveryActions delivery={delivery} />}
    >
      <Fetched query={query}>{() => <Content delivery={delivery} />}</Fetched>
    </Page>
  );
}

/** Short intervals while an attempt runs or is close, long ones while it waits; none when finished. */
function pollEvery(delivery: Delivery | null | undefined): number | false {
  if (delivery?.state !== 'pending') return false;
  const isNear = delivery.nextAttemptAt === null || new Date(delivery.nextAttemptAt).getTime() - Date.now() < 5_000;
  return isNear ? 2_000 : 15_000;
}

function Content({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { account } = useAccount();
  return (
    <>
      <DeliveryBanner delivery={delivery} />
      <div className="columns">
        <div className="stack">
          <Attempts delivery={delivery} />
          {delivery.request && <RequestPanel request={delivery.request} deliveryId={delivery.deliveryId} />}
        </div>
        <div className="stack">
          <Panel title="About">
            <Facts facts={factsOf(delivery, account)} />
          </Panel>
          <Relatives delivery={delivery} />
        </div>
      </div>
    </>
  );
}

const factsOf = (
  { webhook, record, objectId, uri, host, eventId, deliveryId, requestedAt, createdAt }: Delivery,
  account: string,
): readonly (readonly [string, ReactNode])[] => [
  [
    'Webhook',
    webhook.deletedAt === null ? (
      <Link to="/accounts/$account/webhooks/$webhook" params={{ account, webhook: numberOf(webhook.id) }}>
        {webhook.name}
      </Link>
    ) : (
      <>
        {webhook.name}, deleted <Time at={webhook.deletedAt} />
      </>
    ),
  ],
  ['Record', objectId === null ? null : <RecordLink record={record} objectId={objectId} />],
  ['Address', <code key="address">{uri ?? host}</code>],
  ['Happened', <Time key="happened" at={requestedAt} />],
  ['Queued', isLater(requestedAt, createdAt) ? <Time key="taken" at={createdAt} /> : null],
  ['Delivery', <CopyField key="delivery" text={deliveryId} what="the delivery ID" />],
  ['Event', <CopyField key="event" text={eventId} what="the event ID" />],
];

/** A minute or more after the event, which means that the delivery service was down. */
const isLater = (requestedAt: string, createdAt: string): boolean =>
  new Date(createdAt).getTime() - new Date(requestedAt).getTime() > 60_000;

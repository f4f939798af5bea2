import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { Panel } from '../design/panel';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { DeliveryBadge } from '../parts/delivery-row';
import { deliveryRelatives } from './document';
import type { Delivery } from './document';

/** The original of a resent delivery, and the resends of this one; nothing when there are none. */
export function Relatives({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { account } = useAccount();
  const { deliveryId, eventId, webhook, origin } = delivery;
  const relatives = useDocument(deliveryRelatives, { eventId, webhook: webhook.id }, account);
  const others = (relatives.data?.data.webhookDeliveries?.nodes ?? []).filter(
    (other) => other.origin?.deliveryId === deliveryId || other.deliveryId === origin?.deliveryId,
  );
  if (others.length === 0) return null;
  return (
    <Panel title="Resent">
      <ul className="stack">
        {others.map((other) => (
          <li key={other.deliveryId} className="row">
            <DeliveryBadge delivery={other} />
            <span>
              <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: other.deliveryId }}>
                {other.deliveryId === origin?.deliveryId ? 'Original delivery' : 'Resent delivery'}
              </Link>{' '}
              <span className="meta">
                <Time at={other.createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../design/formats';
import { useAccount } from '../frame/account';
import { Time } from '../design/time';

interface Example {
  readonly deliveryId: string;
  /** Null for the webhook's own event. */
  readonly event: string | null;
  readonly objectId: number | null;
  readonly createdAt: string;
}

/** The oldest deliveries as examples. */
export function Examples({
  examples,
  total,
}: {
  readonly examples: readonly Example[];
  readonly total: number;
}): ReactNode {
  const { account } = useAccount();
  const shown = [...examples].sort((one, other) => one.createdAt.localeCompare(other.createdAt)).slice(0, 3);
  return (
    <ul className="examples meta">
      {shown.map(({ deliveryId, event, objectId, createdAt }) => (
        <li key={deliveryId}>
          <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: deliveryId }}>
            {[event, objectId === null ? null : `record ${objectId}`].filter((part) => part !== null).join(', ') ||
              'a delivery'}
          </Link>{' '}
          <Time at={createdAt} />
        </li>
      ))}
      {total > shown.length && <li>and {formatNumber(total - shown.length)} more</li>}
    </ul>
  );
}

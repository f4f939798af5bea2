import { Link } from '@tanstack/react-router';
import { Check as CheckIcon, ChevronRight, Hourglass, Minus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { Badge } from '../design/badge';
import type { Tone } from '../design/badge';
import { buttonClass } from '../design/button';
import { formatMoment } from '../design/formats';
import { SkeletonRows } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { DeliveryBadge } from '../parts/delivery-row';
import { checksOf, verdictTexts } from './why-checks';
import type { Check } from './why-checks';
import { callsOfEvent, explain } from './why-document';
import type { Explanation } from './why-document';
import { explanationsOf, variablesOf } from './why-explanations';
import type { SeenEvent } from './why-search';

export interface WhyWebhook {
  readonly name: string;
  readonly event: string;
  readonly state: string;
  readonly createdAt: string;
}

/** The verdict on each event; the first one is expanded. */
export function Verdicts({
  id,
  webhook,
  events,
}: {
  readonly id: string;
  readonly webhook: WhyWebhook;
  readonly events: readonly SeenEvent[];
}): ReactNode {
  const { account } = useAccount();
  const eventIds = events.map((event) => event.id);
  const query = useDocument(explain, variablesOf(id, eventIds), account, { isEnabled: events.length > 0 });
  if (query.isPlaceholderData) return <SkeletonRows rows={events.length} />;
  return (
    <Fetched query={query} rows={events.length}>
      {({ data }) => (
        <ol className="stack">
          {explanationsOf(data.webhook, eventIds).map((explanation, index) => (
            <li key={eventIds[index]} className="panel">
              {explanation ? (
                <Verdict id={id} webhook={webhook} explanation={explanation} isFirst={index === 0} />
              ) : (
                <p className="panel-body">This event could not be explained.</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Fetched>
  );
}

const tones: Readonly<Record<Explanation['verdict'], Tone>> = {
  delivered: 'good',
  waiting: 'info',
  failed: 'bad',
  given_up: 'quiet',
  skipped: 'quiet',
  not_registered: 'quiet',
  other_event: 'quiet',
  unknown_event: 'warn',
};

const words: Readonly<Record<Explanation['verdict'], string>> = {
  delivered: 'Delivered',
  waiting: 'Waiting',
  failed: 'Failed',
  given_up: 'Given up',
  skipped: 'Skipped',
  not_registered: 'Registered later',
  other_event: 'Other event',
  unknown_event: 'Unknown',
};

export const VerdictBadge = ({ verdict }: Pick<Explanation, 'verdict'>): ReactNode => (
  <Badge tone={tones[verdict]}>{words[verdict]}</Badge>
);

/** An event that can be expanded; `children` get the id of its heading, and whether it is. */
export function EventDetails({
  title,
  badge,
  occurredAt,
  isFirst,
  children,
}: {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly occurredAt: string | null;
  readonly isFirst: boolean;
  readonly children: (heading: string, isOpen: boolean) => ReactNode;
}): ReactNode {
  const heading = useId();
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details className="verdict" open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>
        <ChevronRight aria-hidden size={16} className="verdict-mark" />
        {badge}
        <h2 id={heading}>{title}</h2>
        {occurredAt !== null && <span className="meta number">{formatMoment(occurredAt, 'moment')}</span>}
      </summary>
      <div className="verdict-body">{children(heading, isOpen)}</div>
    </details>
  );
}

function Verdict({
  id,
  webhook,
  explanation,
  isFirst,
}: {
  readonly id: string;
  readonly webhook: WhyWebhook;
  readonly explanation: Explanation;
  readonly isFirst: boolean;
}): ReactNode {
  const { event, eventId, occurredAt, verdict, reason } = explanation;
  return (
    <EventDetails
      title={event ?? `Event ${eventId}`}
      badge={<VerdictBadge verdict={verdict} />}
      occurredAt={occurredAt}
      isFirst={isFirst}
    >
      {(heading, isOpen) => (
        <>
          <p className="verdict-sentence">
            <strong>{verdictTexts[verdict]}</strong> {reason}
          </p>
          <ol className="checks" aria-labelledby={heading}>
            {checksOf(explanation, webhook).map((check) => (
              <CheckItem key={check.name} check={check} />
            ))}
          </ol>
          <NextStep id={id} webhook={webhook} explanation={explanation} />
          {isOpen && <OtherCalls id={id} eventId={eventId} />}
        </>
      )}
    </EventDetails>
  );
}

const icons = { passed: CheckIcon, stopped: X, open: Hourglass, unreached: Minus };
const results = { passed: 'yes', stopped: 'no', open: 'not yet', unreached: 'not reached' };

function CheckItem({ check: { name, result, fact } }: { readonly check: Check }): ReactNode {
  const Icon = icons[result];
  return (
    <li className={`check-step check-${result}`}>
      <span className="check-mark">
        <Icon aria-hidden size={16} strokeWidth={2.25} />
      </span>
      <div>
        <span className="check-name">{name}</span>
        <span className="visually-hidden">: {results[result]}.</span>
        {fact !== null && <div className="meta">{fact}</div>}
      </div>
    </li>
  );
}

/** The suggested next step. */
function NextStep({
  id,
  webhook,
  explanation: { verdict, event, deliveryId },
}: {
  readonly id: string;
  readonly webhook: WhyWebhook;
  readonly explanation: Explanation;
}): ReactNode {
  const { account } = useAccount();
  const params = { account, webhook: id };
  if (verdict === 'other_event' && event !== null)
    return (
      <p>
        <Link
          className={buttonClass('primary')}
          to="/accounts/$account/webhooks/new"
          params={{ account }}
          search={{ event }}
        >
          Add a webhook for {event}
        </Link>
      </p>
    );
  if (verdict === 'skipped')
    return webhook.state === 'active' ? (
      <p>
        <Link className={buttonClass('primary')} to="/accounts/$account/webhooks/$webhook/recover" params={params}>
          Send skipped events
        </Link>
      </p>
    ) : (
      <p>
        <Link className={buttonClass('primary')} to="/accounts/$account/webhooks/$webhook" params={params}>
          Activate {webhook.name} first
        </Link>
      </p>
    );
  if (deliveryId === null) return null;
  return (
    <p>
      <Link
        className={buttonClass(verdict === 'delivered' ? 'normal' : 'primary')}
        to="/accounts/$account/deliveries/$delivery"
        params={{ account, delivery: deliveryId }}
      >
        {verdict === 'delivered' ? 'Show delivery' : 'Show delivery and resend'}
      </Link>
    </p>
  );
}

/** What other webhooks did with the same event; nothing when there are none. */
function OtherCalls({ id, eventId }: { readonly id: string; readonly eventId: string }): ReactNode {
  const { account } = useAccount();
  const query = useDocument(callsOfEvent, { eventId }, account);
  const others = (query.data?.data.webhookDeliveries?.nodes ?? []).filter(({ webhook }) => numberOf(webhook.id) !== id);
  if (others.length === 0) return null;
  return (
    <div className="other-calls">
      <h3>Other webhooks for this event</h3>
      <ul>
        {others.map((delivery) => (
          <li key={delivery.deliveryId} className="row">
            <DeliveryBadge delivery={delivery} />
            <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: delivery.deliveryId }}>
              {delivery.webhook.name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

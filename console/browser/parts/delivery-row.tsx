import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { numberOf } from '../api/number';
import { Badge } from '../design/badge';
import type { Tone } from '../design/badge';
import { formatMoment } from '../design/formats';
import type { Column } from '../design/table';
import { Time, duration, relativeTime, useNow } from '../design/time';
import { recordName } from './named-record';

/** The outcome of a delivery so far. */
export const deliveryOutcome = graphql(`
  fragment DeliveryOutcome on WebhookDelivery {
    deliveryId
    state
    nextAttemptAt
    createdAt
    attempts {
      attempt
      at
      outcome
      status
      errorClass
      milliseconds {
        total
      }
    }
  }
`);

/** The fields of a row in a list of deliveries. */
export const deliveryRow = graphql(
  `
    fragment DeliveryRow on WebhookDelivery {
      ...DeliveryOutcome
      id
      event
      objectId
      test
      stoppedReason
      host
      requestedAt
      webhook {
        id
        name
        deletedAt
      }
      origin {
        id
      }
    }
  `,
  [deliveryOutcome],
);

export type DeliveryRow = ResultOf<typeof deliveryRow>;
type State = Pick<DeliveryRow, 'state' | 'nextAttemptAt' | 'attempts'>;

const looks: Readonly<Record<DeliveryRow['state'], { readonly tone: Tone; readonly words: string }>> = {
  delivered: { tone: 'good', words: 'Delivered' },
  pending: { tone: 'info', words: 'Waiting' },
  failed: { tone: 'bad', words: 'Failed' },
  skipped: { tone: 'quiet', words: 'Skipped' },
  stopped: { tone: 'quiet', words: 'Stopped' },
};

const retrying = { tone: 'warn', words: 'Retrying' } as const;

/**
 * The state in one or two words: "Waiting" until the first attempt, "Retrying" after one without success, "In progress"
 * during one.
 */
export function DeliveryBadge({ delivery }: { readonly delivery: State }): ReactNode {
  const isRetried = delivery.state === 'pending' && delivery.attempts.length > 0;
  const { tone, words } = isRetried
    ? retrying
    : (looks[delivery.state] ?? { tone: 'quiet' as const, words: delivery.state });
  return <Badge tone={tone}>{isUnderWay(delivery) ? 'In progress' : words}</Badge>;
}

/** Whether an attempt is running. */
export const isUnderWay = ({ state, nextAttemptAt }: Pick<State, 'state' | 'nextAttemptAt'>): boolean =>
  state === 'pending' && nextAttemptAt === null;

/** "in 42 sec."; "now" when the time has come. */
export function NextAttempt({ at }: { readonly at: string }): ReactNode {
  const now = useNow(1_000);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatMoment(moment, 'exact')}>
      {moment <= now ? 'now' : relativeTime(moment, now)}
    </time>
  );
}

/** Each error class in a few words; an HTTP response shows its status instead. */
export const errorWords: Readonly<Record<string, string>> = {
  redirect: 'redirect',
  timeout: 'no response in 10 s',
  dns: 'host not found',
  name_server: 'no DNS response',
  connect: 'connection failed',
  tls: 'TLS failed',
  reset: 'connection closed',
  protocol: 'invalid HTTP',
  refused_uri: 'invalid address',
  refused_scheme: 'scheme not allowed',
  refused_port: 'port not allowed',
  refused_address: 'address not public',
  signing: 'signing failed',
  internal: 'internal error',
  lost: 'attempt lost',
};

/** The result of the last attempt: "200", "500", "no connection"; undefined before the first. */
export function answerOf({ attempts }: Pick<State, 'attempts'>): string | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  if (last.status !== null) return String(last.status);
  return last.errorClass === null ? undefined : (errorWords[last.errorClass] ?? last.errorClass);
}

/** The columns of a list of deliveries; `withWebhook` for a full-width list of several webhooks. */
export function deliveryColumns(
  account: string,
  { withWebhook }: { readonly withWebhook: boolean },
): readonly Column<DeliveryRow>[] {
  return [
    withWebhook
      ? { heading: 'State', cell: (delivery) => <DeliveryBadge delivery={delivery} /> }
      : { heading: 'State', cell: (delivery) => <StateAndNext delivery={delivery} /> },
    {
      heading: 'Event',
      isMain: true,
      cell: (delivery) => (
        <span>
          <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: delivery.deliveryId }}>
            {delivery.event}
          </Link>
          {delivery.test && <span className="meta"> test</span>}
          {delivery.origin !== null && <span className="meta"> resent</span>}
        </span>
      ),
    },
    { heading: 'Record', cell: (delivery) => <RecordLink account={account} delivery={delivery} /> },
    ...(withWebhook
      ? [
          {
            heading: 'Webhook',
            cell: ({ webhook }: DeliveryRow) => <WebhookLink account={account} webhook={webhook} />,
          },
        ]
      : []),
    ...(withWebhook
      ? [
          { heading: 'Response', cell: (delivery: DeliveryRow) => answerOf(delivery) ?? '–' },
          { heading: 'Attempts', cell: (delivery: DeliveryRow) => <Tries delivery={delivery} /> },
          { heading: 'Time', isNumber: true, cell: ({ attempts }: DeliveryRow) => timeOf(attempts) },
        ]
      : [
          { heading: 'Answer', cell: (delivery: DeliveryRow) => <AnswerAndTime delivery={delivery} /> },
          { heading: 'Attempts', cell: ({ attempts }: DeliveryRow) => attempts.length },
        ]),
    { heading: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

/** The record of the event, by its number; a test has none. */
export function RecordLink({
  account,
  delivery: { event, objectId, test },
}: {
  readonly account: string;
  readonly delivery: Pick<DeliveryRow, 'event' | 'objectId' | 'test'>;
}): ReactNode {
  if (objectId === null || test) return '–';
  const [kind = ''] = recordName(event, objectId).split('/');
  return (
    <Link to="/accounts/$account/$kind/$record" params={{ account, kind, record: String(objectId) }}>
      {objectId}
    </Link>
  );
}

function WebhookLink({
  account,
  webhook: { id, name, deletedAt },
}: {
  readonly account: string;
  readonly webhook: DeliveryRow['webhook'];
}): ReactNode {
  return deletedAt === null ? (
    <Link to="/accounts/$account/webhooks/$webhook" params={{ account, webhook: numberOf(id) }}>
      {name}
    </Link>
  ) : (
    <>
      {name} <span className="meta">deleted</span>
    </>
  );
}

function Tries({ delivery }: { readonly delivery: State }): ReactNode {
  return (
    <div>
      {delivery.attempts.length}
      <Next delivery={delivery} />
    </div>
  );
}

function StateAndNext({ delivery }: { readonly delivery: State }): ReactNode {
  return (
    <div>
      <DeliveryBadge delivery={delivery} />
      <Next delivery={delivery} />
    </div>
  );
}

/** When it is tried again. */
function Next({ delivery: { state, nextAttemptAt } }: { readonly delivery: State }): ReactNode {
  return (
    state === 'pending' &&
    nextAttemptAt !== null && (
      <div className="meta nowrap">
        next <NextAttempt at={nextAttemptAt} />
      </div>
    )
  );
}

function AnswerAndTime({ delivery }: { readonly delivery: State }): ReactNode {
  return (
    <div>
      {answerOf(delivery) ?? '–'}
      {delivery.attempts.length > 0 && <div className="meta nowrap">{timeOf(delivery.attempts)}</div>}
    </div>
  );
}

const timeOf = (attempts: DeliveryRow['attempts']): string => {
  const total = attempts.at(-1)?.milliseconds?.total;
  return total === undefined || total === null ? '–' : duration(total);
};

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../design/button';
import { Banner } from '../design/panel';
import { duration } from '../design/time';
import { answerOf } from '../parts/delivery-row';
import type { DeliveryRow } from '../parts/delivery-row';

/** The result of the latest test; `after` is the creation time of the newest delivery before it. */
export function TestResult({
  account,
  newest,
  after,
}: {
  readonly account: string;
  readonly newest: readonly DeliveryRow[];
  readonly after: string;
}): ReactNode {
  const delivery = newest.find(({ test, createdAt }) => test && createdAt > after);
  const last = delivery?.attempts.at(-1);
  if (delivery === undefined || last === undefined) return <Banner tone="info" title="Sending the test …" />;
  const took = last.milliseconds?.total;
  const answer = answerOf(delivery) ?? 'no response';
  const isTaken = delivery.state === 'delivered';
  return (
    <Banner
      tone={isTaken ? 'good' : 'bad'}
      title={
        isTaken
          ? `The test was delivered: ${answer}${took === undefined || took === null ? '' : ` in ${duration(took)}`}`
          : `The test failed: ${answer}`
      }
      actions={
        <Link
          className={buttonClass()}
          to="/accounts/$account/deliveries/$delivery"
          params={{ account, delivery: delivery.deliveryId }}
        >
          Open the delivery
        </Link>
      }
    />
  );
}

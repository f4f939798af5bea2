import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { numberOf } from '../api/number';
import { useWrite } from '../api/queries';
import { Button, buttonClass } from '../design/button';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useShortcuts } from '../frame/shortcuts';
import { recordName } from '../parts/named-record';
import { neighbourOf } from '../parts/neighbours';
import { curlOf } from './curl';
import { deliveryRedeliver, deliveryRetry } from './document';
import type { Delivery } from './document';

/**
 * Retry for a waiting delivery, resend for a finished one, with the reason. `R` does the one that applies, `c` copies
 * the call, `[` and `]` go to the previous and next row of the list.
 */
export function DeliveryActions({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { account } = useAccount();
  // From the address, since `delivery` may still be the previous one while the new one loads.
  const { delivery: id } = useParams({ from: '/accounts/$account/deliveries/$delivery' });
  const { isPending, retry, resend } = useSendAgain(delivery);
  const again = retry ?? resend;
  const navigate = useNavigate();
  useShortcuts(
    useMemo(() => {
      const toNeighbour = (step: 1 | -1): void => {
        const neighbour = neighbourOf(id, step);
        if (neighbour === undefined) return;
        void navigate({ to: '/accounts/$account/deliveries/$delivery', params: { account, delivery: neighbour } });
      };
      return {
        '[': () => toNeighbour(-1),
        ']': () => toNeighbour(1),
        ...(again && !isPending && { R: again }),
        ...(delivery.request && { c: () => copyCurl(delivery) }),
      };
    }, [again, isPending, delivery, id, account, navigate]),
  );
  return (
    <>
      {retry && (
        <Button kind="primary" onPress={retry} isPending={isPending}>
          Retry now
        </Button>
      )}
      {resend && (
        <Button kind={delivery.state === 'delivered' ? 'normal' : 'primary'} onPress={resend} isPending={isPending}>
          Resend
        </Button>
      )}
      {delivery.webhook.deletedAt === null && !delivery.test && delivery.event !== 'webhook.verify' && (
        <Link
          className={buttonClass()}
          to="/accounts/$account/webhooks/$webhook/why"
          params={{ account, webhook: numberOf(delivery.webhook.id) }}
          search={{
            event: delivery.eventId,
            object: delivery.objectId === null ? undefined : recordName(delivery.event, delivery.objectId),
          }}
        >
          Why?
        </Link>
      )}
    </>
  );
}

/**
 * The action that applies: retry or resend; neither during an attempt, nor for a delivery that was never meant to be
 * sent.
 */
function useSendAgain(delivery: Delivery): {
  readonly isPending: boolean;
  readonly retry?: () => void;
  readonly resend?: () => void;
} {
  const { account } = useAccount();
  const navigate = useNavigate();
  const retrying = useWrite(deliveryRetry, account);
  const resending = useWrite(deliveryRedeliver, account);
  const { deliveryId: id, state, nextAttemptAt, event } = delivery;
  const onError = (error: unknown): void => showToast(explain(error), 'bad');
  const isPending = retrying.isPending || resending.isPending;
  return useMemo(() => {
    if (state === 'pending' && nextAttemptAt !== null)
      return {
        isPending,
        retry: () =>
          retrying.mutate(
            { id },
            {
              onError,
              onSuccess: ({ data: { webhookDeliveryRetry: done } }) =>
                done?.webhookDelivery ? showToast('Retrying now.') : showRefusal(done?.errors),
            },
          ),
      };
    if ((state === 'delivered' || state === 'failed' || state === 'stopped') && event !== 'webhook.verify')
      return {
        isPending,
        resend: () =>
          resending.mutate(
            { id },
            {
              onError,
              onSuccess: ({ data: { webhookDeliveryRedeliver: done } }) => {
                if (!done?.webhookDelivery) {
                  showRefusal(done?.errors);
                  return;
                }
                showToast('Resent as this new delivery.');
                void navigate({
                  to: '/accounts/$account/deliveries/$delivery',
                  params: { account, delivery: done.webhookDelivery.deliveryId },
                });
              },
            },
          ),
      };
    return { isPending };
  }, [id, state, nextAttemptAt, event, isPending, retrying, resending, navigate, account]);
}

const showRefusal = (errors: readonly { readonly message: string }[] | undefined): void =>
  showToast(errors?.map(({ message }) => `${message}.`).join(' ') ?? 'It was refused.', 'bad');

/** Copies the call, and reports in a toast whether that worked. */
export function copyCurl({ request }: Pick<Delivery, 'request'>): void {
  if (!request) return;
  void navigator.clipboard.writeText(curlOf(request)).then(
    () => showToast('Copied as curl.'),
    () => showToast('The browser blocked copying.', 'bad'),
  );
}

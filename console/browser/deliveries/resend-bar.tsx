import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { useWrite } from '../api/queries';
import { Button } from '../design/button';
import { Refusals } from '../design/refusals';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useShortcuts } from '../frame/shortcuts';
import type { DeliveryRow } from '../parts/delivery-row';
import { deliveriesRedeliver } from './list-document';

/** The limit per call. */
const most = 100;

interface Refusal {
  readonly delivery: DeliveryRow;
  readonly message: string;
}

/** Actions on the selected deliveries; refusals are listed one by one with their reason. */
export function ResendBar({
  selected,
  all,
  onSelect,
}: {
  readonly selected: readonly DeliveryRow[];
  readonly all: readonly DeliveryRow[];
  readonly onSelect: (ids: readonly string[]) => void;
}): ReactNode {
  const { account } = useAccount();
  const resending = useWrite(deliveriesRedeliver, account);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const mayResend = selected.length > 0 && selected.length <= most && !resending.isPending;
  const resend = (): void =>
    resending.mutate(
      { ids: selected.map(({ deliveryId }) => deliveryId) },
      {
        onError: (error) => showToast(explain(error), 'bad'),
        onSuccess: ({ data: { webhookDeliveriesRedeliver: done } }) => {
          const count = done?.webhookDeliveries.length ?? 0;
          if (count > 0) showToast(`${count} ${count === 1 ? 'delivery' : 'deliveries'} resent.`);
          setRefusals(
            (done?.errors ?? []).flatMap(({ path, message }) => {
              const delivery = selected[Number(path?.at(-1))];
              return delivery ? [{ delivery, message }] : [];
            }),
          );
          onSelect([]);
        },
      },
    );
  useShortcuts(useMemo(() => ({ ...(mayResend && { R: resend }) }), [mayResend, selected]));
  return (
    <>
      {refusals.length > 0 && (
        <div className="panel-body">
          <Refusals
            title={
              refusals.length === 1 ? '1 delivery was not resent' : `${refusals.length} deliveries were not resent`
            }
            refusals={refusals.map(({ delivery: { deliveryId, event, webhook }, message }) => ({
              key: deliveryId,
              message,
              link: (
                <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery: deliveryId }}>
                  {event} → {webhook.name}
                </Link>
              ),
            }))}
            onClose={() => setRefusals([])}
          />
        </div>
      )}
      {selected.length > 0 && (
        <div className="table-bar" role="group" aria-label="Selected deliveries">
          <span className="number" role="status">
            {selected.length} selected{selected.length > most && `, at most ${most} at once`}
          </span>
          <Button kind="plain" onPress={() => onSelect(all.slice(0, most).map(({ deliveryId }) => deliveryId))}>
            {all.length > most ? `Select the first ${most}` : `Select all ${all.length}`}
          </Button>
          <Button kind="plain" onPress={() => onSelect([])}>
            Clear
          </Button>
          <Button onPress={resend} isPending={resending.isPending} isDisabled={selected.length > most}>
            Resend {selected.length}
          </Button>
        </div>
      )}
    </>
  );
}

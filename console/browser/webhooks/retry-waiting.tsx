import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import { useWrite } from '../api/queries';
import { Button } from '../design/button';
import { showToast } from '../design/toast';
import type { WebhookDetail } from './documents';

const retryWaiting = graphql(
  `
    mutation RetryWaiting($input: WebhookDeliveriesRedeliverInput!) {
      webhookDeliveriesRedeliver(input: $input) {
        count
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

/** Retries all waiting deliveries at once. */
export function RetryWaiting({
  account,
  webhook,
  onDone,
}: {
  readonly account: string;
  readonly webhook: WebhookDetail;
  readonly onDone: () => void;
}): ReactNode {
  const write = useWrite(retryWaiting, account);
  const retry = async (): Promise<void> => {
    const until = new Date();
    const from = new Date(until.getTime() - 30 * 86_400_000);
    try {
      const { data } = await write.mutateAsync({
        input: { webhookId: webhook.id, from: from.toISOString(), until: until.toISOString(), states: ['pending'] },
      });
      const { count = 0, errors = [] } = data.webhookDeliveriesRedeliver ?? {};
      if (count > 0) onDone();
      if (count > 0) showToast(`Retrying ${count} waiting ${count === 1 ? 'delivery' : 'deliveries'}.`);
      else showToast(errors[0]?.message ?? 'Nothing is waiting.', errors.length > 0 ? 'bad' : 'good');
    } catch (error) {
      showToast(explain(error), 'bad');
    }
  };
  return (
    <Button onPress={() => void retry()} isPending={write.isPending}>
      Retry waiting now
    </Button>
  );
}

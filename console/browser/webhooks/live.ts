import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useDocument } from '../api/queries';
import type { DeliveryRow } from '../parts/delivery-row';
import { webhookState } from './documents';
import type { WebhookDetail } from './documents';

/**
 * The webhook, kept current. While it waits for verification, and for a minute after something was sent to it
 * (`sentAt`), its state and newest deliveries are polled, with back-off. Nothing is added to a filtered list. Times are
 * epoch milliseconds.
 */
export function useLive(
  account: string,
  detail: WebhookDetail,
  fetchedAt: number,
  openedAt: number,
  sentAt: number,
  isFiltered: boolean,
): { readonly webhook: WebhookDetail; readonly newest: readonly DeliveryRow[] } {
  const isUnverified = detail.state === 'unverified';
  const from = Math.max(openedAt, sentAt);
  const { data, dataUpdatedAt } = useDocument(webhookState, { id: detail.id }, account, {
    isEnabled: isUnverified || sentAt > 0,
    pollEvery: () => {
      const age = Date.now() - from;
      if (!isUnverified && age > 60_000) return false;
      return age < 30_000 ? 2_000 : age < 330_000 ? 5_000 : 30_000;
    },
  });
  const live = data?.data.webhook;
  const client = useQueryClient();
  const hasChanged = live?.state !== undefined && dataUpdatedAt > fetchedAt && live.state !== detail.state;
  useEffect(() => {
    // Its skipped deliveries and history depend on the state.
    if (hasChanged) void client.invalidateQueries({ queryKey: [account] });
  }, [hasChanged, client, account]);
  if (!live || dataUpdatedAt <= fetchedAt) return { webhook: detail, newest: detail.newest?.nodes ?? [] };
  const deliveries = isFiltered ? detail.deliveries : withNewer(detail.deliveries, live.deliveries);
  return { webhook: { ...detail, ...live, deliveries }, newest: live.deliveries?.nodes ?? [] };
}

type Deliveries = WebhookDetail['deliveries'];

/** The shown deliveries with newer states, and new ones above. */
function withNewer(shown: Deliveries, newer: { readonly nodes: NonNullable<Deliveries>['nodes'] } | null): Deliveries {
  if (shown === null || newer === null) return shown;
  const known = new Map(newer.nodes.map((delivery) => [delivery.id, delivery]));
  const former = shown.nodes.map((delivery) => known.get(delivery.id) ?? delivery);
  const [newest] = shown.nodes;
  const added = newer.nodes.filter(
    ({ id, createdAt }) =>
      !shown.nodes.some((delivery) => delivery.id === id) && (newest === undefined || createdAt > newest.createdAt),
  );
  return { totalCount: shown.totalCount + added.length, nodes: [...added, ...former] };
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { VariablesOf } from '../api/graphql';
import { numberOf } from '../api/number';
import { Button, buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Select } from '../design/select';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import { NotAllowed } from '../frame/fetched';
import { useRowKeys } from '../frame/row-keys';
import { rememberOrder } from '../parts/neighbours';
import { deliveryColumns } from '../parts/delivery-row';
import type { DeliveryRow } from '../parts/delivery-row';
import type { WebhookDetail, webhookDetail } from './documents';

interface Search {
  readonly state?: string;
  readonly since?: string;
}
type Filter = NonNullable<VariablesOf<typeof webhookDetail>['filter']>;

const states: readonly {
  readonly value: string;
  readonly label: string;
  readonly states?: readonly DeliveryRow['state'][];
}[] = [
  { value: '', label: 'All states' },
  { value: 'trouble', label: 'Not delivered', states: ['pending', 'failed', 'stopped'] },
  { value: 'pending', label: 'Waiting', states: ['pending'] },
  { value: 'failed', label: 'Failed', states: ['failed'] },
  { value: 'delivered', label: 'Delivered', states: ['delivered'] },
  { value: 'skipped', label: 'Skipped', states: ['skipped'] },
  { value: 'stopped', label: 'Stopped', states: ['stopped'] },
];
const spans = [
  { value: '', label: 'Last 30 days', hours: undefined },
  { value: '1h', label: 'Last hour', hours: 1 },
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 168 },
];

/** The delivery filter of the page's address; spans end at the time when it was opened. */
export function filterOf({ state, since }: Search, openedAt: number): Filter {
  const values = states.find(({ value }) => value === state)?.states;
  const hours = spans.find(({ value }) => value === since)?.hours;
  return {
    ...(values && { state: { values: [...values] } }),
    ...(hours !== undefined && { createdAt: { greaterThan: new Date(openedAt - hours * 3_600_000).toISOString() } }),
  };
}

export function DeliveriesPanel({
  account,
  webhook,
}: {
  readonly account: string;
  readonly webhook: WebhookDetail;
}): ReactNode {
  const from = '/accounts/$account/webhooks/$webhook';
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const rows = webhook.deliveries?.nodes ?? [];
  useRowKeys(rows, ({ id }) => id);
  useEffect(() => rememberOrder(rows.map(({ deliveryId }) => deliveryId)), [rows]);
  const isFiltered = Object.keys(search).length > 0;
  const set = (name: keyof Search, value: string): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, [name]: value }).filter(([, text]) => text !== '')),
      replace: true,
    });
  const total = webhook.deliveries?.totalCount ?? 0;
  return (
    <Panel
      title="Deliveries"
      isFlush
      actions={
        <div className="row">
          <Select
            label="State of deliveries"
            isLabelHidden
            value={search.state ?? ''}
            onChange={(value) => set('state', value)}
            options={states.map(({ value, label }) => ({ value, label }))}
          />
          <Select
            label="Deliveries since"
            isLabelHidden
            value={search.since ?? ''}
            onChange={(value) => set('since', value)}
            options={spans.map(({ value, label }) => ({ value, label }))}
          />
        </div>
      }
    >
      {webhook.deliveries === null ? (
        <NotAllowed />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <Empty
            title="Nothing matches."
            action={<Button onPress={() => void navigate({ search: {}, replace: true })}>Clear filters</Button>}
          />
        ) : (
          <Empty title="No calls yet. Send a test to see one." />
        )
      ) : (
        <>
          <Table
            label={`Deliveries of ${webhook.name}`}
            columns={deliveryColumns(account, { withWebhook: false })}
            rows={rows}
            keyOf={({ id }) => id}
          />
          <div className="table-foot bar">
            <span className="meta number">
              {rows.length < total && `${formatNumber(rows.length)} of `}
              {formatNumber(total)} {total === 1 ? 'delivery' : 'deliveries'}
            </span>
            <Link
              className={buttonClass()}
              to="/accounts/$account/deliveries"
              params={{ account }}
              search={{ webhook: numberOf(webhook.id) }}
            >
              Show in the log
            </Link>
          </div>
        </>
      )}
    </Panel>
  );
}

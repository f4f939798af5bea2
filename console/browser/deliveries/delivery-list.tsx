import './deliveries.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { nextPage, usePages } from '../api/pages';
import type { NextPage } from '../api/pages';
import { useDocument } from '../api/queries';
import { isAdministrator } from '../api/roles';
import { Button, buttonClass } from '../design/button';
import { formatMoment, formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { More, Table } from '../design/table';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { useRowKeys } from '../frame/row-keys';
import { deliveryColumns } from '../parts/delivery-row';
import type { DeliveryRow } from '../parts/delivery-row';
import { parseRecord } from '../parts/named-record';
import { rememberOrder } from '../parts/neighbours';
import { CountsChart } from './counts-chart';
import { ListFilters } from './list-filters';
import { deliveryChoices, deliveryLog, deliveryNews } from './list-document';
import { ResendBar } from './resend-bar';
import { filterOf, spanOf } from './search';
import type { TimelessFilter } from './search';

/**
 * The deliveries of the last 30 days, newest first. New ones are counted above the list instead of being inserted, so
 * that rows do not jump.
 */
export function DeliveryList(): ReactNode {
  const { session } = useAccount();
  return (
    <Page title="Deliveries" lead="Every call of your webhooks in the last 30 days.">
      {isAdministrator(session) && <ListFilters />}
      <Log />
    </Page>
  );
}

function Log(): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/deliveries' });
  const choices = useDocument(deliveryChoices, {}, account);
  const namesKind = parseRecord(search.object ?? '')?.kind !== undefined;
  if (!namesKind) return <Matching filter={filterOf(search, [])} />;
  return (
    <Fetched query={choices} rows={10}>
      {({ data }) => (
        <Matching
          filter={filterOf(
            search,
            data.webhookEvents.map(({ name }) => name),
          )}
        />
      )}
    </Fetched>
  );
}

function Matching({ filter }: { readonly filter: TimelessFilter }): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/deliveries' });
  const [seenUntil, setSeenUntil] = useState(() => new Date());
  const { from, until } = spanOf(search, seenUntil);
  const createdAt = { greaterThanOrEqualTo: from.toISOString(), lessThanOrEqualTo: until.toISOString() };
  const pages = usePages(
    deliveryLog,
    { first: 50, filter: Object.assign({ createdAt }, filter) },
    account,
    ({ webhookDeliveries }) => webhookDeliveries,
    { pollEvery },
  );
  const newer = { createdAt: { greaterThan: until.toISOString() } };
  const news = useDocument(deliveryNews, { filter: Object.assign(newer, filter) }, account, {
    isEnabled: search.until === undefined,
    pollEvery: () => 10_000,
  });
  const newest = news.isPlaceholderData ? undefined : news.data?.data.webhookDeliveries;
  const showNewest = (): void => {
    const last = newest?.nodes[0]?.createdAt;
    setSeenUntil(new Date(Math.max(Date.now(), last === undefined ? 0 : new Date(last).getTime())));
  };
  return (
    <>
      {newest && newest.totalCount > 0 && search.until === undefined && (
        <div className="news" role="status">
          <Button onPress={showNewest}>Show {formatNumber(newest.totalCount)} new</Button>
        </div>
      )}
      {until.getTime() - from.getTime() > 2 * 3_600_000 && <CountsChart search={search} span={{ from, until }} />}
      <Fetched query={pages} rows={10}>
        {({ nodes, totalCount }, isOld) =>
          nodes.length === 0 ? (
            <Nothing isFiltered={Object.keys(search).length > 0} />
          ) : (
            <Rows deliveries={nodes} total={totalCount} isOld={isOld} next={nextPage(pages)} />
          )
        }
      </Fetched>
    </>
  );
}

/** Polls only while an attempt is running or close, and not for a long list. */
const pollEvery = (known: readonly DeliveryRow[]): number | false =>
  known.length <= 100 && known.some(({ state, nextAttemptAt }) => state === 'pending' && isNear(nextAttemptAt))
    ? 10_000
    : false;

const isNear = (moment: string | null): boolean => moment === null || new Date(moment).getTime() - Date.now() < 15_000;

function Rows({
  deliveries,
  total,
  isOld,
  next,
}: {
  readonly deliveries: readonly DeliveryRow[];
  readonly total: number;
  readonly isOld: boolean;
  readonly next: NextPage;
}): ReactNode {
  const { account } = useAccount();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = useCallback(
    (id: string, isChosen: boolean): void =>
      setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  );
  const columns = useMemo(() => deliveryColumns(account, { withWebhook: true }), [account]);
  useRowKeys(deliveries, ({ deliveryId }) => deliveryId);
  useEffect(() => rememberOrder(deliveries.map(({ deliveryId }) => deliveryId)), [deliveries]);
  /** For the link of a row; a focused checkbox handles the key itself. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('a, [data-row]')?.closest<HTMLElement>('[data-row]');
    const id = row?.dataset['row'];
    if (event.key !== ' ' || id === undefined || !(event.target as Element).matches('a')) return;
    event.preventDefault();
    choose(id, !chosen.has(id));
  };
  return (
    <Panel title={total === 1 ? '1 delivery' : `${formatNumber(total)} deliveries`} isFlush>
      <ResendBar
        selected={deliveries.filter(({ deliveryId }) => chosen.has(deliveryId))}
        all={deliveries}
        onSelect={(ids) => setChosen(new Set(ids))}
      />
      <div onKeyDown={onKeyDown}>
        <Table
          label="Deliveries"
          columns={columns}
          rows={deliveries}
          keyOf={({ deliveryId }) => deliveryId}
          selection={{
            isSelected: ({ deliveryId }) => chosen.has(deliveryId),
            onSelect: choose,
            nameOf: ({ event, createdAt }) => `${event} of ${formatMoment(createdAt, 'timeWithSeconds')}`,
          }}
          isOld={isOld}
        />
      </div>
      <More shown={deliveries.length} total={total} noun="deliveries" {...next} />
    </Panel>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate({ from: '/accounts/$account/deliveries' });
  return (
    <div className="panel">
      {isFiltered ? (
        <Empty
          title="Nothing matches."
          action={<Button onPress={() => void navigate({ search: {} })}>Clear filters</Button>}
        />
      ) : (
        <Empty
          title="No deliveries in the last 24 hours."
          action={
            <div className="row">
              <Button onPress={() => void navigate({ search: { since: '30d' } })}>Show 30 days</Button>
              <Link className={buttonClass()} to="/accounts/$account/webhooks" params={{ account }}>
                Show webhooks
              </Link>
            </div>
          }
        >
          <p>Each call of a webhook appears here, with all its attempts.</p>
        </Empty>
      )}
    </div>
  );
}

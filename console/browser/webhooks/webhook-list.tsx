import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { nextPage, useAllPages, usePages } from '../api/pages';
import type { NextPage } from '../api/pages';
import { isAdministrator } from '../api/roles';
import { Button, buttonClass } from '../design/button';
import { Code } from '../design/code';
import { Empty, Panel } from '../design/panel';
import { More, Table } from '../design/table';
import { useNow } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { useLatest } from '../frame/latest';
import { Page } from '../frame/page';
import { useRowKeys } from '../frame/row-keys';
import { useShortcuts } from '../frame/shortcuts';
import { byTrouble, healthOf } from '../parts/webhook-health';
import { config } from '../api/config';
import { Bulk } from './bulk';
import { webhookList } from './documents';
import type { ListedWebhook } from './documents';
import { ListFilters, filterOf, passes } from './list-filters';
import { listColumns } from './list-columns';
import { texts } from './texts';
import { useWebhookActions } from './webhook-actions';

/** The webhooks, those with problems first, each with its reason. */
export function WebhookList(): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const mayAdd = isAdministrator(session);
  const toNew = (): void => void navigate({ to: '/accounts/$account/webhooks/new', params: { account } });
  useShortcuts({ n: toNew });
  return (
    <Page
      title="Webhooks"
      lead={texts.list.lead}
      actions={
        mayAdd && (
          <>
            <Link className={buttonClass()} to="/accounts/$account/webhooks/why" params={{ account }}>
              Why?
            </Link>
            <Link className={buttonClass('primary')} to="/accounts/$account/webhooks/new" params={{ account }}>
              New webhook
            </Link>
          </>
        )
      }
    >
      <Listed account={account} />
    </Page>
  );
}

function Listed({ account }: { readonly account: string }): ReactNode {
  const { session } = useAccount();
  const search = useSearch({ from: '/accounts/$account/webhooks' });
  const pages = usePages(
    webhookList,
    { first: 50, filter: filterOf(search, session.person.id) },
    account,
    ({ webhooks }) => webhooks,
  );
  const isFiltered = Object.keys(search).length > 0;
  // Sorting by problems needs all webhooks.
  const goesOn = useAllPages(pages);
  if (pages.data === undefined)
    return (
      <div className="panel">
        <Fetched query={pages} rows={8}>
          {() => null}
        </Fetched>
      </div>
    );
  const isEmpty = pages.data.totalCount === 0 && !isFiltered;
  return (
    <>
      {!isEmpty && <ListFilters />}
      <Fetched query={pages}>
        {({ nodes, totalCount }, isOld) =>
          isEmpty ? (
            <Nothing account={account} />
          ) : (
            <Rows
              account={account}
              webhooks={nodes.filter((webhook) => passes(webhook, search)).sort(byTrouble)}
              loaded={nodes.length}
              total={totalCount}
              isOld={isOld}
              next={{ ...nextPage(pages), isPending: goesOn }}
            />
          )
        }
      </Fetched>
    </>
  );
}

function Rows({
  account,
  webhooks,
  loaded,
  total,
  isOld,
  next,
}: {
  readonly account: string;
  readonly webhooks: readonly ListedWebhook[];
  readonly loaded: number;
  readonly total: number;
  readonly isOld: boolean;
  readonly next: NextPage;
}): ReactNode {
  const now = useNow(60_000);
  const navigate = useNavigate();
  const actions = useLatest(useWebhookActions(account));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = webhooks.filter(({ id }) => chosen.has(id));
  const choose = useCallback(
    (id: string, isChosen: boolean): void =>
      setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  );
  const areSigned = webhooks.some(({ webhookPolicy }) => webhookPolicy !== null);
  const columns = useMemo(() => listColumns({ account, now, actions, areSigned }), [account, now, actions, areSigned]);
  const edit = ({ id }: ListedWebhook): void =>
    void navigate({ to: '/accounts/$account/webhooks/$webhook/edit', params: { account, webhook: numberOf(id) } });
  useRowKeys(webhooks, ({ id }) => id, { t: (webhook) => void actions.current.sendTest(webhook), e: edit });
  if (webhooks.length === 0 && next.onMore === undefined) return <NothingMatches />;
  const areAllHere = next.onMore === undefined;
  const areWell = areAllHere && webhooks.every((webhook) => healthOf(webhook) === 'active');
  return (
    <Panel
      title={headingOf(webhooks, areAllHere)}
      isFlush
      actions={areWell && <span className="meta">{texts.list.well}</span>}
    >
      {selected.length > 0 && (
        <Bulk
          account={account}
          selected={selected}
          total={webhooks.length}
          onSelectAll={() => setChosen(new Set(webhooks.map(({ id }) => id)))}
          onClear={() => setChosen(new Set())}
        />
      )}
      <Table
        label="Webhooks"
        columns={columns}
        rows={webhooks}
        keyOf={({ id }) => id}
        selection={{ isSelected: ({ id }) => chosen.has(id), onSelect: choose, nameOf: ({ name }) => name }}
        isOld={isOld}
      />
      <More shown={loaded} total={total} noun="webhooks" {...next} />
    </Panel>
  );
}

/** "2 failing, 1 unverified" and so on; only webhooks with problems. */
function headingOf(webhooks: readonly ListedWebhook[], areAllHere: boolean): string {
  const parts = (['failing', 'unverified', 'disabled'] as const).flatMap((health) => {
    const count = webhooks.filter((webhook) => healthOf(webhook) === health).length;
    return count === 0 ? [] : [`${count} ${health}`];
  });
  if (parts.length > 0) return parts.join(', ');
  return areAllHere ? 'All active' : 'Webhooks';
}

function Nothing({ account }: { readonly account: string }): ReactNode {
  return (
    <div className="panel">
      <Empty
        title={texts.list.none}
        action={
          <Link className={buttonClass('primary')} to="/accounts/$account/webhooks/new" params={{ account }}>
            New webhook
          </Link>
        }
      >
        <p>{texts.list.noneYet}</p>
        <Code what="the same as a curl command" text={texts.list.curl(config.baseUrl, account)} />
      </Empty>
    </div>
  );
}

function NothingMatches(): ReactNode {
  const navigate = useNavigate({ from: '/accounts/$account/webhooks' });
  return (
    <div className="panel">
      <Empty
        title="Nothing matches."
        action={<Button onPress={() => void navigate({ search: {} })}>Clear filters</Button>}
      />
    </div>
  );
}

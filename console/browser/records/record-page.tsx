import './record.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../api/errors';
import { rest } from '../api/rest';
import { isAdministrator } from '../api/session';
import { Badge } from '../design/badge';
import { CopyField } from '../design/code';
import { Empty, Facts, Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { RecordStatus } from '../parts/record-status';
import { kindOfField, kinds } from './kinds';
import type { Kind } from './kinds';
import { RecordLink } from './record-link';
import { RecordWebhooks } from './record-webhooks';
import { History, Notes } from './timeline';
import { labelOf, presentValue } from './values';
import type { RestRecord } from './values';

/** The page at a record's canonical address, which deliveries contain; one page for all kinds. */
export function RecordPage(): ReactNode {
  const { kind: plural = '', record = '' } = useParams({ strict: false });
  const kind = kinds.find((each) => each.plural === plural);
  if (!kind || !/^\d{1,15}$/.test(record)) return <NoSuchPlace />;
  return <Record key={`${plural} ${record}`} kind={kind} number={record} />;
}

function NoSuchPlace(): ReactNode {
  const { account } = useAccount();
  return (
    <Page title="Page not found">
      <p>
        Check the address for typos.{' '}
        <Link to="/accounts/$account" params={{ account }}>
          Go home
        </Link>
      </p>
    </Page>
  );
}

function Record({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account } = useAccount();
  const query = useQuery({
    queryKey: [account, 'record', kind.plural, number],
    queryFn: ({ signal }) => rest<RestRecord>(account, `/${kind.plural}/${number}`, { signal }),
  });
  const { data } = query;
  if (query.error !== null && failureOf(query.error).kind === 'missing') return <Missing kind={kind} number={number} />;
  return (
    <Page
      title={data === undefined ? `${capital(kind.noun)} ${number}` : titleOf(data, kind)}
      badge={data && <State record={data} />}
      lead={
        data && (
          <>
            {capital(kind.noun)} {number} of {data.account.name}
          </>
        )
      }
    >
      <Fetched query={query} rows={8}>
        {(record) => <Shown record={record} kind={kind} number={number} />}
      </Fetched>
    </Page>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
function titleOf({ id, subject, name }: RestRecord, kind: Kind): string {
  const title = subject ?? name;
  return typeof title === 'string' ? title : `${capital(kind.noun)} ${id}`;
}

function State({ record }: { readonly record: RestRecord }): ReactNode {
  const { status, disabled } = record;
  if (typeof status === 'string') return <RecordStatus status={status} />;
  return disabled === true && <Badge tone="quiet">disabled</Badge>;
}

/** Already shown beside the heading. */
const shownElsewhere = new Set(['id', 'nodeID', 'account', 'subject', 'name', 'status', 'disabled']);

function Shown({
  record,
  kind,
  number,
}: {
  readonly record: RestRecord;
  readonly kind: Kind;
  readonly number: string;
}): ReactNode {
  const { account, session } = useAccount();
  const facts = Object.entries(record)
    .filter(([field]) => !shownElsewhere.has(field))
    .map(([field, value]) => [labelOf(field), presentValue(field, value, account)] as const);
  return (
    <div className="columns">
      <div className="stack">
        <Panel title="Details">
          <Facts
            facts={[...facts, ['GraphQL ID', <CopyField key="id" text={record.nodeID} what="the GraphQL ID" />]]}
          />
        </Panel>
        {kind.hasNotes && <Notes account={account} kind={kind} number={number} />}
        {kind.hasHistory && <History account={account} kind={kind} number={number} names={namesIn(record)} />}
      </div>
      <div className="stack">{isAdministrator(session) && <RecordWebhooks kind={kind} number={number} />}</div>
    </div>
  );
}

/** The names of referenced records, by the end of their addresses. */
function namesIn(record: RestRecord): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [field, value] of Object.entries(record)) {
    const plural = kindOfField[field];
    if (plural === undefined) continue;
    for (const each of [value].flat() as ({ id: number; name?: string; subject?: string } | null)[])
      if (each) names.set(`${plural}/${each.id}`, each.name ?? each.subject ?? `#${each.id}`);
  }
  return names;
}

function Missing({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account, session } = useAccount();
  const others = session.accounts.filter(({ accountID, disabled }) => accountID !== account && !disabled);
  return (
    <Page title={`${capital(kind.noun)} ${number}`}>
      <Empty title={`There is no ${kind.noun} ${number} in ${account}, or you may not see it.`}>
        {others.length > 0 && (
          <>
            <p>It may be in another of your accounts:</p>
            <ul className="record-values">
              {others.map(({ accountID, name }) => (
                <li key={accountID}>
                  <RecordLink account={accountID} kind={kind.plural} number={number}>
                    {name}
                  </RecordLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </Empty>
    </Page>
  );
}

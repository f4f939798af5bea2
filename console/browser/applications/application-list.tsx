import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { nextPage, usePages } from '../api/pages';
import type { NextPage } from '../api/pages';
import { isAdministrator } from '../api/roles';
import { Badge } from '../design/badge';
import { Button, buttonClass } from '../design/button';
import { TextField } from '../design/field';
import { Empty, Panel } from '../design/panel';
import { More, Table } from '../design/table';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { useRowKeys } from '../frame/row-keys';
import { useShortcuts } from '../frame/shortcuts';
import { applicationList } from './documents';
import type { Application } from './documents';
import { LastUse } from './last-use';
import { scopeSentences } from './scopes';
import { kindWords } from './texts';

/** The applications that may call the API, in which role, and whether they are used. */
export function ApplicationList(): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const { q = '' } = useSearch({ from: '/accounts/$account/applications' });
  const [typed, setTyped] = useState(q);
  const words = useDebounced(typed, 250).trim();
  const query = usePages(
    applicationList,
    { first: 50, query: words === '' ? null : words },
    account,
    ({ oauthApplications }) => oauthApplications,
  );
  const openNew = (): void => void navigate({ to: '/accounts/$account/applications/new', params: { account } });
  useShortcuts({ n: openNew });
  const search = (text: string): void => {
    setTyped(text);
    void navigate({
      to: '/accounts/$account/applications',
      params: { account },
      search: text.trim() === '' ? {} : { q: text },
      replace: true,
    });
  };
  return (
    <Page
      title="Applications"
      lead="Programs that call the API, for people or on their own. Each has its own id and secret, and only the scopes you choose."
      actions={
        isAdministrator(session) && (
          <Link className={buttonClass('primary')} to="/accounts/$account/applications/new" params={{ account }}>
            New application
          </Link>
        )
      }
    >
      <Fetched query={query}>
        {({ nodes, totalCount }, isOld) => {
          if (totalCount === 0 && words === '') return <NoApplications account={account} />;
          return (
            <>
              <div className="filters">
                <div className="field-wide">
                  <TextField
                    label="Search"
                    type="search"
                    value={typed}
                    onChange={search}
                    placeholder="Name or description"
                  />
                </div>
              </div>
              {totalCount === 0 ? (
                <Empty title="Nothing matches." action={<Button onPress={() => search('')}>Clear search</Button>} />
              ) : (
                <ApplicationTable
                  applications={nodes}
                  total={totalCount}
                  next={nextPage(query)}
                  account={account}
                  isOld={isOld}
                />
              )}
            </>
          );
        }}
      </Fetched>
    </Page>
  );
}

function NoApplications({ account }: { readonly account: string }): ReactNode {
  return (
    <Empty
      title="No applications yet."
      action={
        <Link className={buttonClass('primary')} to="/accounts/$account/applications/new" params={{ account }}>
          New application
        </Link>
      }
    >
      <p>
        An application lets people sign in to your program with their account here, or lets a service call the API on
        its own. Just trying out the API? A <a href="/oauth/profile">personal access token</a> is quicker.
      </p>
    </Empty>
  );
}

function ApplicationTable({
  applications,
  total,
  account,
  isOld,
  next,
}: {
  readonly applications: readonly Application[];
  readonly total: number;
  readonly account: string;
  readonly isOld: boolean;
  readonly next: NextPage;
}): ReactNode {
  useRowKeys(applications, ({ id }) => id);
  return (
    <Panel title="All applications" isFlush>
      <Table
        label="Applications"
        rows={applications}
        keyOf={({ id }) => id}
        isOld={isOld}
        columns={[
          { heading: 'State', isHeadingHidden: true, cell: (application) => <StateBadge application={application} /> },
          {
            heading: 'Name',
            isMain: true,
            cell: ({ id, name }) => (
              <Link to="/accounts/$account/applications/$application" params={{ account, application: numberOf(id) }}>
                {name}
              </Link>
            ),
          },
          { heading: 'Kind', cell: ({ grantTypes }) => kindWords(grantTypes) },
          { heading: 'Scopes', cell: ({ scopes }) => <May scopes={scopes} /> },
          { heading: 'Client tokens', isNumber: true, cell: ({ tokens }) => tokens.length },
          {
            heading: 'Last used',
            cell: ({ tokens }) => <LastUse at={latest(tokens.map(({ lastUsedAt }) => lastUsedAt))} />,
          },
        ]}
      />
      <More shown={applications.length} total={total} noun="applications" {...next} />
    </Panel>
  );
}

/** The application's state, such as disabled or without a token. */
export function StateBadge({ application }: { readonly application: Application }): ReactNode {
  if (application.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (application.tokens.length === 0) return <Badge tone="warn">No client token</Badge>;
  if (application.tokens.every(({ disabled }) => disabled)) return <Badge tone="warn">Tokens disabled</Badge>;
  return <Badge tone="good">Ready</Badge>;
}

function May({ scopes }: Pick<Application, 'scopes'>): ReactNode {
  const [first = '', ...others] = scopeSentences(scopes, 'allow');
  return (
    <span>
      {first}
      {others.length > 0 && <span className="muted"> and {others.length} more</span>}
    </span>
  );
}

const latest = (moments: readonly (string | null)[]): string | null =>
  moments
    .filter((moment) => moment !== null)
    .sort()
    .at(-1) ?? null;

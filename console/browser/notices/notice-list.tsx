import './notices.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { useDocument } from '../api/queries';
import { Button, buttonClass } from '../design/button';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import { Time } from '../design/time';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useBell, useReadNotices } from '../frame/bell-document';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { RecordStatus } from '../parts/record-status';
import { shownRecord } from '../parts/named-record';
import { noticeInWords } from '../parts/notice-words';

const document = graphql(`
  query Notices($before: String) {
    notices(last: 30, before: $before) {
      pageInfo {
        hasPreviousPage
        startCursor
      }
      nodes {
        id
        kind
        count
        at
        unread
        by {
          id
          name
        }
        record {
          id
          number
          type
          title
          status
        }
      }
    }
  }
`);

type Notices = NonNullable<ResultOf<typeof document>['notices']>;
type Notice = Notices['nodes'][number];

/** The notices of the person, the newest first. */
export function NoticeList(): ReactNode {
  const { account } = useAccount();
  const { before } = useSearch({ strict: false });
  const query = useDocument(document, { before: before ?? null }, account, {
    // Older ones change only by being read.
    pollEvery: () => (before === undefined ? 60_000 : false),
  });
  const read = useReadNotices(account);
  const [isPending, setPending] = useState(false);
  const unread = useBell(account).data?.data.notices?.totalCount ?? 0;
  const notices = query.data?.data.notices;
  const newest = before === undefined ? notices?.nodes.at(-1) : undefined;
  const readAll = async (until: string): Promise<void> => {
    setPending(true);
    try {
      await read({ until });
    } catch (error) {
      showToast(`Not marked as read: ${explain(error)}`, 'bad');
    } finally {
      setPending(false);
    }
  };
  return (
    <Page
      title="Notices"
      lead="What concerns you: work that you get, answers, what was completed, and what you watch. Kept for 90 days."
      actions={
        <>
          <Link className={buttonClass()} to="/accounts/$account/notices/preferences" params={{ account }}>
            Which notices you get
          </Link>
          {newest && unread > 0 && (
            <Button isPending={isPending} onPress={() => void readAll(newest.id)}>
              Mark all as read
            </Button>
          )}
        </>
      }
    >
      <Panel title={before === undefined ? 'Latest' : 'Older'} isFlush>
        <Fetched query={query} rows={6}>
          {({ data }, isOld) => <Rows notices={data.notices} isOld={isOld} isFirst={before === undefined} />}
        </Fetched>
      </Panel>
    </Page>
  );
}

function Rows({
  notices,
  isOld,
  isFirst,
}: {
  readonly notices: Notices | null;
  readonly isOld: boolean;
  readonly isFirst: boolean;
}): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const { hasPreviousPage: hasOlder = false, startCursor } = notices?.pageInfo ?? {};
  // A record that was deleted, or is hidden now, has nothing to show.
  const shown = (notices?.nodes ?? []).filter(({ record }) => record !== null).reverse();
  const to = '/accounts/$account/notices';
  const open = (search: { readonly before?: string }) => void navigate({ to, params: { account }, search });
  return (
    <>
      {shown.length === 0 ? (
        <Empty title={emptyTitle(notices, isFirst)}>
          <p>You get a notice when something is assigned to you, answered or completed.</p>
        </Empty>
      ) : (
        <Table
          label="Notices"
          isOld={isOld}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'What happened', isMain: true, cell: (notice) => <What notice={notice} /> },
            { heading: 'Status', cell: ({ record }) => <State record={record} /> },
            { heading: 'When', cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
      {(hasOlder || !isFirst) && (
        <div className="table-foot bar">
          {!isFirst && <Button onPress={() => open({})}>Newest</Button>}
          {hasOlder && startCursor != null && <Button onPress={() => open({ before: startCursor })}>Older</Button>}
        </div>
      )}
    </>
  );
}

function emptyTitle(notices: Notices | null, isFirst: boolean): string {
  if (notices !== null && notices.nodes.length > 0) return 'You no longer see the records of these notices.';
  return isFirst ? 'Nothing has happened yet.' : 'There is nothing older.';
}

function What({ notice }: { readonly notice: Notice }): ReactNode {
  const { account } = useAccount();
  const { record, unread, by, kind, count } = notice;
  const place = record && shownRecord(record.type, record.number);
  if (!record || !place) return null;
  return (
    <span className="notice" data-unread={unread || undefined}>
      <Link
        to="/accounts/$account/$kind/$record"
        params={{ account, kind: place.plural, record: String(record.number) }}
      >
        {record.title}
      </Link>
      {unread && <span className="visually-hidden"> (unread)</span>}
      <span className="meta">
        {noticeInWords({ kind, count, by: by?.name })} · {place.words}
      </span>
    </span>
  );
}

function State({ record }: { readonly record: Notice['record'] }): ReactNode {
  const place = record && shownRecord(record.type, record.number);
  return place && record.status != null ? <RecordStatus status={record.status} type={place.name} /> : '–';
}

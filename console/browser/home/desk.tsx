import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import type { Column } from '../design/table';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { shownRecord } from '../parts/named-record';
import { noticeInWords } from '../parts/notice-words';
import { RecordStatus } from '../parts/record-status';
import { homeDesk } from './desk-document';
import type { HomeDesk, UnreadNotice } from './desk-document';
import { byTurn, workOf } from './own-work';
import type { Work } from './own-work';
import { FreeRequests } from './free-requests';
import { Titled } from './work-parts';

/** What a specialist must do now: what is new, what is theirs, what is free in their teams, what waits for others. */
export function Desk(): ReactNode {
  const { account } = useAccount();
  const query = useDocument(homeDesk, {}, account, { pollEvery: () => 60_000 });
  const unread = query.data?.data.notices?.nodes.filter(({ record }) => record !== null) ?? [];
  return (
    <>
      {unread.length > 0 && <New notices={unread} total={query.data?.data.notices?.totalCount ?? 0} />}
      <Panel title="Assigned to you" isFlush>
        <Fetched query={query} rows={4}>
          {({ data }, isOld) => <Own data={data} isOld={isOld} />}
        </Fetched>
      </Panel>
      {/* Of the same document, which says once that it could not be loaded. */}
      {query.data && (
        <Panel title="Free in your teams" isFlush>
          <FreeRequests requests={query.data.data.free} isOld={query.isPlaceholderData} />
        </Panel>
      )}
    </>
  );
}

const shownNotices = 5;

/** What the person has not read yet, the newest first. */
function New({ notices, total }: { readonly notices: readonly UnreadNotice[]; readonly total: number }): ReactNode {
  const { account } = useAccount();
  return (
    <Panel
      title="New for you"
      actions={
        <Link to="/accounts/$account/notices" params={{ account }}>
          {total > shownNotices ? `All ${formatNumber(total)} notices` : 'All notices'}
        </Link>
      }
      isFlush
    >
      <ul className="lines">
        {notices
          .slice(-shownNotices)
          .reverse()
          .map((notice) => (
            <li key={notice.id}>
              <NoticeLine {...notice} />
              <span className="meta">
                <Time at={notice.at} />
              </span>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

function NoticeLine({ record, kind, count, by }: UnreadNotice): ReactNode {
  const { account } = useAccount();
  const place = record && shownRecord(record.type, record.number);
  if (!record || !place) return null;
  return (
    <span>
      {noticeInWords({ kind, count, by: by?.name })}:{' '}
      <Link
        to="/accounts/$account/$kind/$record"
        params={{ account, kind: place.plural, record: String(record.number) }}
      >
        {record.title}
      </Link>
    </span>
  );
}

/** How many are shown of what is assigned; the list has the others. */
const shownFirst = 10;

function Own({ data, isOld }: { readonly data: HomeDesk; readonly isOld: boolean }): ReactNode {
  const { account } = useAccount();
  const { own, waiting } = byTurn(workOf(data), data.notices?.nodes ?? []);
  const total = data.requests?.totalCount ?? 0;
  const isNew = new Set(data.notices?.nodes.map(({ record }) => record?.id ?? ''));
  const isMore = total > (data.requests?.nodes.length ?? 0) || own.length > shownFirst;
  if (own.length === 0 && waiting.length === 0) return <Empty title="Nothing is assigned to you." />;
  return (
    <>
      {own.length === 0 ? (
        <Empty title="It is nobody’s turn: all of it waits for others." />
      ) : (
        <WorkTable label="Assigned to you" rows={own.slice(0, shownFirst)} isNew={isNew} isOld={isOld} />
      )}
      {waiting.length > 0 && (
        <details className="waiting">
          <summary>{formatNumber(waiting.length)} waiting for others</summary>
          <WorkTable label="Waiting for others" rows={waiting} isNew={isNew} isOld={isOld} />
        </details>
      )}
      {isMore && (
        <div className="table-foot bar">
          <span className="meta number">
            {formatNumber(Math.min(own.length, shownFirst))} of {formatNumber(own.length)} that are your turn
          </span>
          <Link
            className={buttonClass()}
            to="/accounts/$account/$kind"
            params={{ account, kind: 'requests' }}
            search={{ view: 'assigned_to_me', status: 'open' }}
          >
            All {formatNumber(total)} requests assigned to you
          </Link>
        </div>
      )}
    </>
  );
}

function WorkTable({
  label,
  rows,
  isOld,
  isNew,
}: {
  readonly label: string;
  readonly rows: readonly Work[];
  /** The ids of those of which something was not read yet. */
  readonly isNew: ReadonlySet<string>;
  readonly isOld: boolean;
}): ReactNode {
  const columns: readonly Column<Work>[] = [
    { heading: 'What', isMain: true, cell: (work) => <Titled {...work} isNew={isNew.has(work.id)} /> },
    { heading: 'Status', cell: ({ status, type }) => <RecordStatus status={status} type={type} /> },
    { heading: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
  return <Table label={label} isOld={isOld} rows={rows} keyOf={({ id }) => id} columns={columns} />;
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { isStaff } from '../api/roles';
import { useDocument } from '../api/queries';
import { buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { RecordStatus } from '../parts/record-status';

const document = graphql(`
  query HomeRequests($view: RequestView!, $first: Int!) {
    requests(
      first: $first
      view: $view
      filter: { status: { values: [completed], negate: true } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        subject
        status
        requestedBy {
          id
          name
        }
        team {
          id
          name
        }
        member {
          id
          name
        }
        updatedAt
      }
    }
  }
`);

const shownFirst = 10;

/** The ten open requests of a view that changed most recently, and a link to all of them. */
export function OwnRequests({
  title,
  all,
  view,
  none,
}: {
  readonly title: string;
  /** The label of the link to all requests, after "All" and their number. */
  readonly all: string;
  readonly view: 'assigned_to_me' | 'requested_by_or_for_me';
  readonly none: string;
}): ReactNode {
  const { account, session } = useAccount();
  const query = useDocument(document, { view, first: shownFirst }, account);
  return (
    <Panel title={title} isFlush>
      <Fetched query={query} rows={4}>
        {({ data: { requests } }, isOld) =>
          requests === null || requests.totalCount === 0 ? (
            <Empty title={none} />
          ) : (
            <>
              <Table
                label={title}
                isOld={isOld}
                rows={requests.nodes}
                keyOf={({ id }) => id}
                columns={[
                  {
                    heading: 'Request',
                    isMain: true,
                    cell: ({ id, subject }) => (
                      <Link
                        to="/accounts/$account/$kind/$record"
                        params={{ account, kind: 'requests', record: numberOf(id) }}
                      >
                        {subject}
                      </Link>
                    ),
                  },
                  { heading: 'Status', cell: ({ status }) => <RecordStatus status={status} type="request" /> },
                  isStaff(session)
                    ? { heading: 'From', cell: ({ requestedBy }) => requestedBy?.name ?? '–' }
                    : { heading: 'With', cell: ({ member, team }) => member?.name ?? team?.name ?? '–' },
                  { heading: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
                ]}
              />
              {requests.totalCount > shownFirst && (
                <div className="table-foot bar">
                  <span className="meta number">
                    The last {formatNumber(requests.nodes.length)} of {formatNumber(requests.totalCount)} requests
                  </span>
                  <Link
                    className={buttonClass()}
                    to="/accounts/$account/$kind"
                    params={{ account, kind: 'requests' }}
                    search={{ view, status: 'open' }}
                  >
                    All {formatNumber(requests.totalCount)} {all}
                  </Link>
                </div>
              )}
            </>
          )
        }
      </Fetched>
    </Panel>
  );
}

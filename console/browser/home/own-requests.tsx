import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
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
  query HomeRequests {
    requests(
      first: 10
      view: requested_by_or_for_me
      filter: { status: { values: [completed], negate: true } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        subject
        status
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

const title = 'Your requests';

/** The ten open requests of the person that changed most recently, and a link to all of them. */
export function OwnRequests(): ReactNode {
  const { account } = useAccount();
  const query = useDocument(document, {}, account);
  return (
    <Panel title={title} isFlush>
      <Fetched query={query} rows={4}>
        {({ data: { requests } }, isOld) =>
          requests === null || requests.totalCount === 0 ? (
            <Empty title="You have no open requests." />
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
                  { heading: 'With', cell: ({ member, team }) => member?.name ?? team?.name ?? '–' },
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
                    search={{ view: 'requested_by_or_for_me', status: 'open' }}
                  >
                    All {formatNumber(requests.totalCount)} of your requests
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

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { RecordStatus } from '../parts/record-status';
import { openStatuses } from './open-statuses';

const document = graphql(`
  query HomeRequests($view: RequestView!, $open: [RequestStatus!]!) {
    requests(
      first: 10
      view: $view
      filter: { status: { values: $open } }
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
        updatedAt
      }
    }
  }
`);

/** The ten open requests of a view that changed most recently. */
export function OwnRequests({
  title,
  view,
  none,
}: {
  readonly title: string;
  readonly view: 'assigned_to_me' | 'requested_by_or_for_me';
  readonly none: string;
}): ReactNode {
  const { account } = useAccount();
  const query = useDocument(document, { view, open: openStatuses }, account);
  return (
    <Panel title={title} isFlush>
      <Fetched query={query} rows={4}>
        {({ data }, isOld) =>
          data.requests === null || data.requests.totalCount === 0 ? (
            <Empty title={none} />
          ) : (
            <>
              <Table
                label={title}
                isOld={isOld}
                rows={data.requests.nodes}
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
                  { heading: 'Status', cell: ({ status }) => <RecordStatus status={status} /> },
                  { heading: 'From', cell: ({ requestedBy }) => requestedBy?.name ?? '–' },
                  { heading: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
                ]}
              />
              {data.requests.totalCount > data.requests.nodes.length && (
                <p className="table-foot bar meta">
                  The last {data.requests.nodes.length} of {formatNumber(data.requests.totalCount)}.
                </p>
              )}
            </>
          )
        }
      </Fetched>
    </Panel>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { pageEnd } from '../api/fragments';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { mostLoaded, nextPage, usePages } from '../api/pages';
import { Button } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { Table } from '../design/table';
import { Time } from '../design/time';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { RecordStatus } from '../parts/record-status';
import { openStatuses } from './open-statuses';

const document = graphql(
  `
    query HomeRequests($view: RequestView!, $open: [RequestStatus!]!, $first: Int!, $after: String) {
      requests(
        first: $first
        after: $after
        view: $view
        filter: { status: { values: $open } }
        order: [{ field: updatedAt, direction: desc }]
      ) {
        totalCount
        pageInfo {
          ...PageEnd
        }
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
  `,
  [pageEnd],
);

const shownFirst = 10;

/** The ten open requests of a view that changed most recently, and all of them when asked for. */
export function OwnRequests({
  title,
  all,
  view,
  none,
}: {
  readonly title: string;
  /** The label of the button for all requests, after "All" and their number. */
  readonly all: string;
  readonly view: 'assigned_to_me' | 'requested_by_or_for_me';
  readonly none: string;
}): ReactNode {
  const { account } = useAccount();
  const [isWhole, setWhole] = useState(false);
  const variables = { view, open: openStatuses, first: isWhole ? 50 : shownFirst };
  const query = usePages(document, variables, account, ({ requests }) => requests);
  const { onMore, isPending } = nextPage(query);
  return (
    <Panel title={title} isFlush>
      <Fetched query={query} rows={4}>
        {({ nodes, totalCount }, isOld) =>
          totalCount === 0 ? (
            <Empty title={none} />
          ) : (
            <>
              <Table
                label={title}
                isOld={isOld}
                rows={nodes}
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
              {totalCount > shownFirst && (
                <div className="table-foot bar">
                  <span className="meta number">
                    {nodes.length < totalCount && `The last ${formatNumber(nodes.length)} of `}
                    {formatNumber(totalCount)} requests
                  </span>
                  {isWhole && onMore && nodes.length < mostLoaded && (
                    <Button onPress={onMore} isPending={isPending}>
                      Show 50 more
                    </Button>
                  )}
                  <Button onPress={() => setWhole(!isWhole)}>
                    {isWhole ? 'Show fewer' : `All ${formatNumber(totalCount)} ${all}`}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Fetched>
    </Panel>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { openStatuses } from './open-statuses';

const document = graphql(`
  query HomeTeams($open: [RequestStatus!]!) {
    me {
      id
      teams(first: 50) {
        nodes {
          id
          name
        }
      }
    }
    requests(
      first: 100
      view: assigned_to_my_team
      filter: { status: { values: $open } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        team {
          id
        }
        member {
          id
        }
      }
    }
  }
`);

/** The open requests of each team of the person, the most first, and how many of them are not assigned. */
export function TeamCounts(): ReactNode {
  const { account } = useAccount();
  const query = useDocument(document, { open: openStatuses }, account);
  return (
    <Panel title="Your teams" isFlush>
      <Fetched query={query} rows={2}>
        {({ data }) => {
          const openOf = (team: string): number => openRequests(team, data.requests).length;
          const teams = (data.me?.teams?.nodes ?? []).toSorted((one, other) => openOf(other.id) - openOf(one.id));
          if (teams.length === 0) return <Empty title="You are not in a team. An administrator can add you." />;
          return (
            <ul className="lines">
              {teams.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/accounts/$account/$kind/$record" params={{ account, kind: 'teams', record: numberOf(id) }}>
                    {name}
                  </Link>
                  <span className="meta number">{wordsOf(id, data.requests)}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Fetched>
    </Panel>
  );
}

const openRequests = (team: string, requests: ResultOf<typeof document>['requests']) =>
  (requests?.nodes ?? []).filter((request) => request.team?.id === team);

/** "12 open requests · 3 unassigned"; "+" when only a part of the requests was loaded. */
function wordsOf(team: string, requests: ResultOf<typeof document>['requests']): string {
  const open = openRequests(team, requests);
  const shown = requests?.nodes.length ?? 0;
  const isAll = (requests?.totalCount ?? 0) <= shown;
  if (open.length === 0) return isAll ? 'no open requests' : `no open requests among the last ${shown}`;
  const free = open.filter(({ member }) => member === null).length;
  const more = isAll ? '' : '+';
  return [
    `${formatNumber(open.length)}${more} open ${open.length === 1 ? 'request' : 'requests'}`,
    ...(free > 0 ? [`${formatNumber(free)}${more} unassigned`] : []),
  ].join(' · ');
}

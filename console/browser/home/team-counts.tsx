import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { pageEnd } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { numberOf } from '../api/number';
import { useWhole } from '../api/pages';
import { useDocument } from '../api/queries';
import { Button } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty, Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';

const teamPage = graphql(
  `
    fragment TeamPage on TeamConnection {
      totalCount
      pageInfo {
        ...PageEnd
      }
      nodes {
        id
        name
      }
    }
  `,
  [pageEnd],
);

const document = graphql(
  `
    query HomeTeams {
      me {
        id
        teams(first: 50) {
          ...TeamPage
        }
      }
      requests(
        first: 100
        view: assigned_to_my_team
        filter: { status: { values: [completed], negate: true } }
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
  `,
  [teamPage],
);

/** All teams, when the document does not have them all. */
const allTeams = graphql(
  `
    query HomeAllTeams($first: Int!, $after: String) {
      me {
        id
        teams(first: $first, after: $after) {
          ...TeamPage
        }
      }
    }
  `,
  [teamPage],
);

type Data = ResultOf<typeof document>;

/** The teams that are shown before somebody asks for all. */
const shownFirst = 20;

/** The open requests of each team of the person, the most first, and how many of them are not assigned. */
export function TeamCounts(): ReactNode {
  const { account } = useAccount();
  const query = useDocument(document, {}, account);
  return (
    <Panel title="Your teams" isFlush>
      <Fetched query={query} rows={2}>
        {({ data }) => <Teams data={data} />}
      </Fetched>
    </Panel>
  );
}

function Teams({ data: { me, requests } }: { readonly data: Data }): ReactNode {
  const { account } = useAccount();
  const { nodes } = useWhole(me?.teams, allTeams, { first: 100 }, account, (answer) => answer.me?.teams);
  const [isWhole, setWhole] = useState(false);
  const openOf = (team: string): number => openRequests(team, requests).length;
  const teams = nodes.toSorted((one, other) => openOf(other.id) - openOf(one.id));
  if (teams.length === 0) return <Empty title="You are not in a team. An administrator can add you." />;
  const shown = isWhole ? teams : teams.slice(0, shownFirst);
  const total = me?.teams?.totalCount ?? teams.length;
  return (
    <>
      <ul className="lines">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <Link to="/accounts/$account/$kind/$record" params={{ account, kind: 'teams', record: numberOf(id) }}>
              {name}
            </Link>
            <span className="meta number">
              {openOf(id) === 0 ? (
                wordsOf(id, requests)
              ) : (
                <Link
                  to="/accounts/$account/$kind"
                  params={{ account, kind: 'requests' }}
                  search={{ view: 'open', team: numberOf(id) }}
                >
                  {wordsOf(id, requests)}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {teams.length > shownFirst && (
        <div className="table-foot bar">
          <span className="meta number">
            {shown.length < total && `${formatNumber(shown.length)} of `}
            {formatNumber(total)} teams
          </span>
          <Button onPress={() => setWhole(!isWhole)}>{isWhole ? 'Show fewer' : 'Show all'}</Button>
        </div>
      )}
    </>
  );
}

const openRequests = (team: string, requests: Data['requests']) =>
  (requests?.nodes ?? []).filter((request) => request.team?.id === team);

/** "12 open requests · 3 unassigned"; "+" when only a part of the requests was loaded. */
function wordsOf(team: string, requests: Data['requests']): string {
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

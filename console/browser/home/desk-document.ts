import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';

/** What a specialist has to do now: what is new, what is theirs, and what nobody in their teams has taken. */
export const homeDesk = graphql(`
  query HomeDesk {
    notices(last: 20, filter: { unread: true }) {
      totalCount
      nodes {
        id
        kind
        count
        at
        by {
          id
          name
        }
        record {
          id
          number
          type
          title
        }
      }
    }
    requests(
      first: 50
      view: assigned_to_me
      filter: { status: { values: [completed], negate: true } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        number
        subject
        status
        priority
        requestedBy {
          id
          name
        }
        team {
          id
          name
        }
        updatedAt
      }
    }
    problems(
      first: 20
      view: assigned_to_me
      filter: { status: { values: [solved], negate: true } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        number
        subject
        status
        priority
        team {
          id
          name
        }
        updatedAt
      }
    }
    tasks(
      first: 20
      view: assigned_to_me
      filter: { status: { values: [failed, rejected, completed, approved, canceled], negate: true } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        number
        subject
        status
        team {
          id
          name
        }
        updatedAt
      }
    }
    free: requests(
      first: 10
      view: assigned_to_my_team
      filter: { status: { values: [completed], negate: true }, member: { values: [null] } }
      order: [{ field: updatedAt, direction: desc }]
    ) {
      totalCount
      nodes {
        id
        number
        version
        subject
        status
        priority
        requestedBy {
          id
          name
        }
        team {
          id
          name
        }
        createdAt
      }
    }
  }
`);

export type HomeDesk = ResultOf<typeof homeDesk>;
export type UnreadNotice = NonNullable<HomeDesk['notices']>['nodes'][number];
export type FreeRequest = NonNullable<HomeDesk['free']>['nodes'][number];

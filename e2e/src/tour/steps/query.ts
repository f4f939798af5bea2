import { check, members, text } from '../expect';
import type { Tour } from '../tour';

const overview = /* GraphQL */ `
  {
    me {
      id
      name
    }
    people(first: 5) {
      totalCount
      nodes {
        id
        name
        primaryEmail
      }
    }
    requests(first: 5) {
      totalCount
      nodes {
        id
        subject
        status
        requestedBy {
          name
        }
      }
    }
    rateLimit {
      limit
      cost
      remaining
      resetAt
    }
  }
`;
const threeSubgraphs = /* GraphQL */ `
  {
    me {
      name
    }
    requests(first: 1) {
      nodes {
        subject
        team {
          name
        }
      }
    }
    uiExtensions(first: 1) {
      nodes {
        name
        versions(first: 3) {
          nodes {
            versionNr
            status
          }
        }
      }
    }
  }
`;

/** People and records in one query, with the same price in body and headers. */
export async function queryOverview(tour: Tour): Promise<string> {
  const { data, headers } = await tour.query(overview);
  const requests = members(data['requests'], 'requests');
  const [first] = requests['nodes'] as Record<string, unknown>[];
  check(Number(requests['totalCount']) > 20, `only ${String(requests['totalCount'])} requests`);
  text(members(first?.['requestedBy'], 'requestedBy')['name'], 'requestedBy.name');
  text(members(data['me'], 'me')['name'], 'me.name');
  const rateLimit = members(data['rateLimit'], 'rateLimit');
  for (const [field, header] of [
    ['limit', 'limit'],
    ['cost', 'cost'],
    ['remaining', 'remaining'],
    ['resetAt', 'reset'],
  ] as const) {
    const inHeader = headers.get(`x-costlimit-${header}`);
    check(
      String(rateLimit[field]) === inHeader,
      `rateLimit.${field} is ${String(rateLimit[field])}, the header says ${inHeader}`,
    );
  }
  return `${String(requests['totalCount'])} requests, ${String(rateLimit['cost'])} point, ${String(rateLimit['remaining'])} left`;
}

export async function queryThreeSubgraphs(tour: Tour): Promise<string> {
  const { data } = await tour.query(threeSubgraphs);
  const [extension] = members(data['uiExtensions'], 'uiExtensions')['nodes'] as Record<string, unknown>[];
  const versions = members(extension?.['versions'], 'versions')['nodes'] as unknown[];
  check(versions.length === 3, `${versions.length} versions instead of 3`);
  return 'auth, graph and ui-extensions in one answer';
}

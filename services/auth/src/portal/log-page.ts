import type { Connection } from '@itsm/shared/api/graphql/connections';
import type { AuditRecord } from '../security/audit-entry';
import { presentEntry } from './present-entry';

interface Place {
  readonly address: string;
  readonly query: Readonly<Record<string, string>>;
  /** Where this page of the log began; undefined at the newest entry. */
  readonly cursor: string | undefined;
}

/** A page of the log as the templates show it, with the links to its neighbours. */
export function toLogPage(page: Connection<AuditRecord>, reader: { readonly id: number }, place: Place) {
  const { nodes, pageInfo } = page;
  const link = (more: Record<string, string>): string => {
    const query = new URLSearchParams({ ...place.query, ...more }).toString();
    return `${place.address}${query === '' ? '' : `?${query}`}#security-log`;
  };
  return {
    rows: nodes.map((entry) => presentEntry(entry, reader)),
    filtered: Object.hasOwn(place.query, 'event'),
    newest: place.cursor === undefined ? undefined : link({}),
    older: pageInfo.hasNextPage && pageInfo.endCursor !== null ? link({ log: pageInfo.endCursor }) : undefined,
  };
}

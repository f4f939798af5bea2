import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import type { AccountRepository } from '../directory/account.repository';
import { createDirectories } from '../directory/directory';
import type { PersonRepository } from '../directory/person.repository';
import { alertEvents, auditEvents, isAuditEvent } from '../security/audit-event';
import type { AuditEvent } from '../security/audit-event';
import type { AuditRecord } from '../security/audit-entry';
import type { SecurityLogService } from './security-log.service';

/** The security log in the GraphQL API. */
export const securityLogTypeDefs = /* GraphQL */ `
  extend type Query {
    "What happened to access in the current account, newest first. Administrators see everything, other people the entries about themselves or their own actions."
    securityLog(${connectionArguments}, filter: SecurityLogFilter): SecurityLogEntryConnection
  }

  "Conditions on entries; all of them must match."
  input SecurityLogFilter {
    event: SecurityLogEventFilter
    "It happened to this person, or was done by them."
    personId: ID
    "Signs of theft only, or everything else."
    alert: Boolean
  }

  "Any of the events; none of them with negate."
  input SecurityLogEventFilter {
    values: [String]!
    negate: Boolean
  }

  type SecurityLogEntry implements Node @key(fields: "id") {
    id: ID!
    "For example authorization.granted."
    event: String!
    title: String!
    "Whether it is a sign of theft."
    alert: Boolean!
    createdAt: ISO8601Timestamp!
    "Whom it happened to; null when the current account does not see them any more."
    person: Person
    "Null without the scope person:Read."
    personName: String
    "Who did it."
    actor: Person
    "Null without the scope person:Read."
    actorName: String
    applicationName: String
    clientID: String
    ip: String
    userAgent: String
    requestID: String
    facts: [SecurityLogFact!]!
  }

  type SecurityLogFact {
    name: String!
    values: [String!]!
  }

  ${connectionTypeDefs('SecurityLogEntry')}
`;

interface Dependencies {
  readonly securityLog: SecurityLogService;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

interface Filter {
  readonly event?: { readonly values: readonly (string | null)[]; readonly negate?: boolean | null } | null;
  readonly personId?: string | null;
  readonly alert?: boolean | null;
}

export function createSecurityLogResolvers({ securityLog, people, accounts, nodeIdDomain }: Dependencies) {
  const directoryOf = createDirectories({ people, accounts });
  const present = ({ id }: { readonly id: number }, { caller }: SubgraphContext) => directoryOf(caller).person(id);

  function peopleOf(filter: Filter, caller: Caller): number[] {
    const own = seesAll(caller) ? [] : [caller.personId];
    if (filter.personId == null) return own;
    const wanted = parseRecordId(nodeIdDomain, 'Person', filter.personId);
    if (wanted === undefined) throw badRequest('`personId` is not the id of a person');
    return [...own, wanted];
  }

  return {
    Query: {
      securityLog: allowed<ConnectionArgs & { filter?: Filter | null }>(
        'security-log:Read',
        (_parent, { filter: given, ...page }, { caller }) => {
          const filter = given ?? {};
          return securityLog.read(
            caller.accountId,
            { events: eventsOf(filter), people: peopleOf(filter, caller) },
            page,
          );
        },
      ),
    },
    SecurityLogEntry: {
      __resolveReference: allowedReference('security-log:Read', async ({ id }, { caller }) => {
        const wanted = parseRecordId(nodeIdDomain, 'SecurityLogEntry', id);
        if (wanted === undefined) return undefined;
        const entry = await securityLog.find(caller.accountId, wanted);
        return entry && (seesAll(caller) || concerns(entry, caller.personId)) ? entry : undefined;
      }),
      id: ({ id }: AuditRecord) => toNodeId(nodeIdDomain, 'SecurityLogEntry', id),
      title: ({ event }: AuditRecord) => auditEvents[event].title,
      alert: ({ event }: AuditRecord) => auditEvents[event].alert,
      createdAt: ({ at }: AuditRecord) => at,
      person: ({ person }: AuditRecord, _args: unknown, context: SubgraphContext) => person && present(person, context),
      personName: ({ person }: AuditRecord, _args: unknown, { caller }: SubgraphContext) =>
        readsPeople(caller) ? person?.name : null,
      actor: ({ actor }: AuditRecord, _args: unknown, context: SubgraphContext) => actor && present(actor, context),
      actorName: ({ actor }: AuditRecord, _args: unknown, { caller }: SubgraphContext) =>
        readsPeople(caller) ? actor?.name : null,
      applicationName: ({ application }: AuditRecord) => application?.name,
      clientID: ({ clientId }: AuditRecord) => clientId,
      requestID: ({ requestId }: AuditRecord) => requestId,
      facts: ({ facts }: AuditRecord) =>
        Object.entries(facts).map(([name, value]) => ({ name, values: [value].flat().map(String) })),
    },
  };
}

const seesAll = ({ roles }: Caller): boolean => roles.includes('account_administrator');

const concerns = ({ person, actor }: AuditRecord, personId: number): boolean =>
  person?.id === personId || actor?.id === personId;

/** The events that match the filter; undefined for all. */
function eventsOf({ event, alert }: Filter): readonly AuditEvent[] | undefined {
  if (!event && alert == null) return undefined;
  return Object.keys(auditEvents)
    .filter(isAuditEvent)
    .filter((name) => !event || event.values.includes(name) !== (event.negate ?? false))
    .filter((name) => alert == null || alertEvents.includes(name) === alert);
}

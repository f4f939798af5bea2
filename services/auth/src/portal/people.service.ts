import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { wordsOfQuery } from '@itsm/shared/base/texts/words';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { Connection } from '@itsm/shared/api/graphql/connections';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { MailQueue } from '../mails/mail-queue';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import type { SessionService } from '../sessions/session.service';

interface Dependencies {
  readonly people: PersonRepository;
  readonly queue: MailQueue;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly sessions: Pick<SessionService, 'endAll'>;
}

/** The page of people, for administrators. */
export interface PeopleService {
  /** A page after the cursor, ordered by name. Name and address together contain all words of `query`. */
  page(accountId: string, query: string, after: string | undefined): Promise<Connection<Person>>;
  /**
   * Sends the person a new link to choose a password or to verify the address. Returns the seconds to wait when that was done
   * too often, otherwise 0. A 422 for a person who needs no link.
   */
  sendLink(accountId: string, id: number): Promise<number>;
  /** Signs the person out in every browser; a 404 for a person of another account. */
  endSessions(accountId: string, id: number): Promise<void>;
}

const pageSize = 50;
const byName = ['name', 'id'].map((property) => ({ field: property, property, descending: false }));

/** Whether the person has to follow a link before they can sign in. */
export const needsLink = ({ verified, password, disabledAt }: Person): boolean =>
  !disabledAt && (!verified || password === null);

export function createPeopleService({ people, queue, attempts, audit, sessions }: Dependencies): PeopleService {
  return {
    page(accountId, query, after) {
      const source = people.source({ accountId, directoryAccountId: null }, wordsOfQuery(query));
      const filter = [{ property: 'accountId', in: [accountId] }];
      return loadSortedConnection(
        { first: pageSize, ...(after !== undefined && { after }) },
        { source, order: byName, filter, fields: ['*'] },
      );
    },
    async sendLink(accountId, id) {
      const person = await people.find(accountId, id);
      if (!person) throw notFound();
      if (!needsLink(person)) throw validationFailed([['person', `${person.name} needs no link`]]);
      const seconds = await attempts.countOrWait(`mail person ${id}`, 'mail');
      if (seconds > 0) return seconds;
      const { version, primaryEmail: address } = person;
      await audit.record(accountId, { event: 'person.link_asked', person });
      await queue.order({ kind: 'address', accountId, personId: id, version, address });
      return 0;
    },
    async endSessions(accountId, id) {
      const person = await people.find(accountId, id);
      if (!person) throw notFound();
      await sessions.endAll(accountId, person);
    },
  };
}

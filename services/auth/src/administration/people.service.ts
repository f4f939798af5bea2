import { notFound } from '@itsm/shared/base/errors/app-error';
import { wordsOfQuery } from '@itsm/shared/base/texts/words';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { Connection } from '@itsm/shared/api/graphql/connections';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { SessionService } from '../sessions/session.service';

interface Dependencies {
  readonly people: PersonRepository;
  readonly sessions: Pick<SessionService, 'endAll'>;
}

/** The page of people, for administrators. */
export interface PeopleService {
  /** A page after the cursor, ordered by name. Name and address together contain all words of `query`. */
  page(accountId: string, query: string, after: string | undefined): Promise<Connection<Person>>;
  /** Signs the person out in every browser; a 404 for a person of another account. */
  endSessions(accountId: string, id: number): Promise<void>;
}

const pageSize = 50;
const byName = ['name', 'id'].map((property) => ({ field: property, property, descending: false }));

export function createPeopleService({ people, sessions }: Dependencies): PeopleService {
  return {
    page(accountId, query, after) {
      const source = people.source({ accountId, directoryAccountId: null }, wordsOfQuery(query));
      const filter = [{ property: 'accountId', in: [accountId] }];
      return loadSortedConnection(
        { first: pageSize, ...(after !== undefined && { after }) },
        { source, order: byName, filter, fields: ['*'] },
      );
    },
    async endSessions(accountId, id) {
      const person = await people.find(accountId, id);
      if (!person) throw notFound();
      await sessions.endAll(accountId, person);
    },
  };
}

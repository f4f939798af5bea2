import { personSaved } from '@itsm/shared/contracts/directory';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from './account.repository';
import { toPersonSaved } from './person';
import type { Person } from './person';
import type { Editor } from './person-access';
import { personEvent } from './person.message';
import type { PersonEventName } from './person.message';
import type { PersonRepository } from './person.repository';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

export interface SavePerson {
  /**
   * Writes a person with the messages for other services and for webhooks. False after a concurrent change of the
   * person, or when another person has taken the address or the authentication ID since the check.
   */
  withEvent(event: PersonEventName, actor: Pick<Editor, 'personId' | 'name'>, person: Person): Promise<boolean>;
  /** As `withEvent`, without the event for webhooks: for passwords and changes by the operator. */
  withoutEvent(person: Person): Promise<boolean>;
}

export function createSavePerson({ people, accounts, nudge, nodeIdDomain, now }: Dependencies): SavePerson {
  async function save(person: Person, events: readonly OutboxEntry[]): Promise<boolean> {
    const saved = await people.save(person, [outboxEntry(personSaved, toPersonSaved(person)), ...events], now());
    if (saved) nudge();
    return saved;
  }

  return {
    async withEvent(event, actor, person) {
      const children = await accounts.childrenOf(person.accountId);
      const visibleTo = [...new Set([person.accountId, ...Object.keys(person.roles), ...children])];
      return save(person, [personEvent({ event, person, actor, visibleTo }, nodeIdDomain)]);
    },
    withoutEvent: (person) => save(person, []),
  };
}

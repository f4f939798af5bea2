import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Module, Platform } from '@itsm/shared/running/module';
import { createDirectoryRepository } from './directory.repository';
import type { DirectoryRepository } from './directory.repository';
import { createListedPeopleRepository } from './listed-people.repository';
import type { ListedPeopleRepository } from './listed-people.repository';

export interface Directory extends Module {
  readonly store: DirectoryRepository;
  readonly listed: ListedPeopleRepository;
}

export function createDirectory({ connection }: Platform): Directory {
  const store = createDirectoryRepository(connection);
  const listed = createListedPeopleRepository(connection);
  // Idempotent by the version in the message.
  const handlers = [
    on(personSaved, (person) => store.savePerson(person)),
    on(accountSaved, (account) => store.saveAccount(account)),
  ];
  // Saves of one moment share a command.
  const consumers = [{ queue: queues.recordDirectory, handlers, options: { prefetch: 100 } }];
  return { store, listed, stores: [listed], consumers };
}

import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Module, Platform } from '@itsm/shared/running/module';
import { createDirectoryRepository } from './directory.repository';
import type { DirectoryRepository } from './directory.repository';

export interface Directory extends Module {
  readonly store: DirectoryRepository;
}

export function createDirectory({ connection }: Platform): Directory {
  const store = createDirectoryRepository(connection);
  // Idempotent by id and version.
  const handlers = [
    on(accountSaved, (account) => store.saveAccount(account)),
    on(personSaved, (person) => store.savePerson(person)),
  ];
  // Saves of one moment share a command.
  const consumers = [{ queue: queues.webhookDirectory, handlers, options: { prefetch: 100 } }];
  return { store, stores: [store], consumers };
}

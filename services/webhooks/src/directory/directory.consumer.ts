import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import type { DirectoryRepository } from './directory.repository';

/** Idempotent by id and version. */
export const directoryHandlers = (directory: DirectoryRepository): readonly Handler[] => [
  on(accountSaved, (account) => directory.saveAccount(account)),
  on(personSaved, (person) => directory.savePerson(person)),
];

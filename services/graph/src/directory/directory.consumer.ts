import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import type { DirectoryRepository } from './directory.repository';

/** Keeps the projection up to date; idempotent by the version in the message. */
export const directoryHandlers = (directory: DirectoryRepository): readonly Handler[] => [
  on(personSaved, (person) => directory.savePerson(person)),
  on(accountSaved, (account) => directory.saveAccount(account)),
];

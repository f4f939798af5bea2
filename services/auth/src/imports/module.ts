import { createRests } from '@itsm/shared/base/concurrency/rests';
import { peopleRowsImported, peopleRowsRead } from '@itsm/shared/contracts/imports';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Directory, DirectoryOptions } from '../directory/module';
import type { Security } from '../security/module';
import { createPeopleImporter } from './people-importer';
import { createRowsRepository } from './rows.repository';

interface Needs {
  readonly directory: Pick<Directory, 'people' | 'accounts' | 'administrationOver'>;
  readonly security: Pick<Security, 'announce'>;
  readonly broker: Pick<Broker, 'publish'>;
  readonly options: Pick<DirectoryOptions, 'importRests'>;
}

/** Messages whose rows are written at the same time, each of another account. */
const messagesAtOnce = 4;

/** Writes people whose rows come from files that `graph` reads, and answers what became of them. */
export function createImports(platform: MessagingPlatform, { directory, security, broker, options }: Needs): Module {
  const { connection, nodeIdDomain, now } = platform;
  const { people, accounts, administrationOver } = directory;
  const { announce } = security;
  const { importRests: rests = createRests() } = options;
  const rows = createRowsRepository(connection);
  const sequence = createSequence(connection);
  const needs = { people, accounts, administrationOver, announce, rows, sequence, rests, nodeIdDomain, now };
  const importer = createPeopleImporter(needs);
  const onRows = on(peopleRowsRead, async (message) => {
    const outcome = await importer.importRows(message);
    const { importId, line } = message;
    // The message is acknowledged only then, so that an answer that is lost is made again.
    await broker.publish(peopleRowsImported, { importId, line, outcome }, `imported ${importId} ${line}`);
  });
  return {
    consumers: [{ queue: queues.peopleImports, handlers: [onRows], options: { prefetch: messagesAtOnce } }],
    stores: [rows],
    runners: [{ stop: () => importer.stop() }],
  };
}

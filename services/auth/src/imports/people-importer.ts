import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import { AppError, statusOf, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import { personEditors } from '@itsm/shared/contracts/directory';
import type { Role } from '@itsm/shared/contracts/directory';
import type { PeopleRowsImported, PeopleRowsRead } from '@itsm/shared/contracts/imports';
import { differing } from '@itsm/shared/declared/changes';
import { columnsByHeader, fileColumns, foldedHeader } from '@itsm/shared/declared/file-columns';
import { importFileRows, readHeaders } from '@itsm/shared/declared/file-rows';
import type { FittingRow, ImportColumns, RowOutcome, RowResults } from '@itsm/shared/declared/file-rows';
import { readCells } from '@itsm/shared/declared/read-input';
import { closedError } from '@itsm/shared/messages/broker/broker';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { AccountRepository } from '../directory/account.repository';
import { personType } from '../directory/person';
import type { Person, PersonChanges } from '../directory/person';
import { grantCheck } from '../directory/person-access';
import type { Editor } from '../directory/person-access';
import type { ImportedRow, PersonAdministration } from '../directory/person-administration.service';
import type { PersonRepository, Visibility } from '../directory/person.repository';
import type { RowsRepository } from './rows.repository';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: Pick<AccountRepository, 'find'>;
  readonly personAdministration: PersonAdministration;
  readonly rows: RowsRepository;
  readonly sequence: Pick<Sequence, 'next'>;
  readonly rests: Rests;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

/** What all rows of one message share. */
interface Work {
  readonly message: PeopleRowsRead;
  readonly editor: Editor;
  readonly visibility: Visibility;
  readonly checkGranted: (given: PersonChanges) => void;
}

export interface PeopleImporter {
  /**
   * Creates and changes people as `personCreate` and `personUpdate` do, row by row, with rests in between. The same message
   * again makes nobody twice, and has the same outcome once all of its rows were written. Throws an outage after `stop`.
   */
  importRows(message: PeopleRowsRead): Promise<PeopleRowsImported['outcome']>;
  /** Ends after the present row. Another process writes the rest when the message comes again. */
  stop(): void;
}

const columns = fileColumns(personType);
const byHeader = columnsByHeader(columns);
const known: ImportColumns = {
  names: columns.filter(({ isShownOnly }) => !isShownOnly).map(({ name }) => name),
  find: (header) => byHeader.get(foldedHeader(header)),
};

export function createPeopleImporter(dependencies: Dependencies): PeopleImporter {
  const { people, accounts, personAdministration, rows, sequence, rests, nodeIdDomain, now } = dependencies;
  let isStopping = false;

  /** With the roles that the importer had then and still has; undefined without one that may change people. */
  async function editorOf({ accountId, importer }: PeopleRowsRead): Promise<Editor | undefined> {
    const { personId, name, homeAccountId } = importer;
    const person = await people.find(homeAccountId, personId);
    if (!person || person.disabledAt) return undefined;
    const present: readonly Role[] = person.roles[accountId] ?? [];
    const roles = importer.roles.filter((role) => present.includes(role));
    return personEditors.some((role) => roles.includes(role)) ? { personId, name, accountId, roles } : undefined;
  }

  /** By the ID; else by source and source ID; else by the address. */
  async function findPerson({ visibility }: Work, cell: string, given: PersonChanges): Promise<Person | undefined> {
    const { accountId } = visibility;
    if (cell !== '') {
      const id = parseRecordId(nodeIdDomain, personType.graphqlName, cell);
      const [found] = id === undefined ? [] : await people.findVisible(visibility, [id]);
      if (!found) throw validationFailed([['id', 'Id was not found']]);
      return found;
    }
    const { source, sourceID, primaryEmail } = given;
    if (source != null && sourceID != null) {
      const [found, other] = await people.findBySource(accountId, source, sourceID);
      if (other) throw validationFailed([['sourceID', 'Source ID is that of several people; give the ID']]);
      if (found) return found;
    }
    const found = primaryEmail === undefined ? undefined : await people.findByEmail(accountId, primaryEmail);
    // An address passes from who has left to somebody else: the one who has it is not overwritten with the other.
    const isSomebodyElse =
      sourceID != null && found?.sourceID != null && found.source === source && found.sourceID !== sourceID;
    return isSomebodyElse ? undefined : found;
  }

  async function writeRow(work: Work, { line, row: { id: cell = '', ...cells } }: FittingRow): Promise<RowOutcome> {
    const { message, editor, checkGranted } = work;
    const { accountId, importId, isDryRun, invites, importer } = message;
    const given = readCells(personType, { nodeIdDomain, timeZone: importer.timeZone }, cells);
    const { personId: id, name, homeAccountId } = importer;
    const rowWith = (reservedId: number | undefined): ImportedRow => ({
      isDryRun,
      invites,
      reservedId,
      drawId: async () => (await rows.reserve(message, line, { id: await sequence.next('person'), version: 0 })).id,
      entry: {
        actor: { accountId: homeAccountId, id, name },
        facts: { import: importId },
        once: [importId, String(line)],
      },
    });
    const create = async (reservedId: number | undefined): Promise<RowOutcome> => {
      await personAdministration.create(accountId, editor, given, rowWith(reservedId));
      return { outcome: 'created' };
    };

    const person = await findPerson(work, cell.trim(), given);
    if (!person) {
      checkGranted(given);
      return create(isDryRun ? undefined : (await rows.reservation(message, line))?.id);
    }
    const changes = changesOf(person, accountId, given);
    const isChanged = Object.keys(changes).length > 0;
    checkGranted(changes);
    if (!isDryRun) {
      const kept = isChanged
        ? await rows.reserve(message, line, { id: person.id, version: person.version })
        : await rows.reservation(message, line);
      const isOfRow = kept?.id === person.id;
      if (isOfRow && kept.version === 0) return create(person.id);
      const wasWritten = isOfRow && kept.version < person.version;
      if (!isChanged && !wasWritten) return { outcome: 'unchanged' };
    } else if (!isChanged) return { outcome: 'unchanged' };
    // After a crash it is announced again that tokens may have lost something.
    await personAdministration.update(accountId, editor, person.id, changes, undefined, rowWith(undefined));
    return { outcome: 'updated' };
  }

  async function writeAll(work: Work, fitting: readonly FittingRow[]): Promise<readonly RowOutcome[]> {
    const outcomes: RowOutcome[] = [];
    for (const row of fitting) {
      if (isStopping) throw closedError();
      outcomes.push(await rests.after(() => orRefusal(() => writeRow(work, row))));
    }
    return outcomes;
  }

  return {
    async importRows(message) {
      const { accountId, headers, isDryRun, queuedAt } = message;
      const before = isDryRun ? undefined : await rows.begin(message, now());
      if (before) return toOutcome(before);
      const header = readHeaders(headers, known);
      if ('problem' in header) return header;
      const editor = await editorOf(message);
      if (!editor) return { problem: 'Who has sent the file may not change people any more' };
      const { kind, authenticatedAt } = message.importer;
      const caller: Pick<Caller, 'kind' | 'authenticatedAt'> = {
        kind,
        authenticatedAt: authenticatedAt === null ? undefined : new Date(authenticatedAt),
      };
      // The sign-in was to be recent when the file was sent, and not when its turn comes.
      const check = grantCheck(() => new Date(queuedAt));
      const { directoryAccountId = null } = (await accounts.find(accountId)) ?? {};
      const work: Work = {
        message,
        editor,
        visibility: { accountId, directoryAccountId },
        checkGranted: (given) => check(caller, given),
      };
      const results = await importFileRows(header, message.rows, (fitting) => writeAll(work, fitting));
      return toOutcome(isDryRun ? results : await rows.finish(message, results));
    },
    stop() {
      isStopping = true;
      rests.end();
    },
  };
}

const toOutcome = ({ results, failures }: RowResults): PeopleRowsImported['outcome'] => ({
  results,
  failures: [...failures],
});

/** What differs from the person as they are, so that a row that changes nothing is refused to nobody. */
function changesOf(person: Person, accountId: string, given: PersonChanges): PersonChanges {
  const { roles, disabled } = given;
  return {
    ...differing(personType, person, given),
    ...(roles && !areSame(person.roles[accountId] ?? [], roles) && { roles }),
    ...(disabled !== undefined && disabled !== (person.disabledAt !== null) && { disabled }),
  };
}

const areSame = (one: readonly Role[], other: readonly Role[]): boolean =>
  one.length === other.length && one.every((role) => other.includes(role));

/** What a caller would be refused is a failure of the row; anything else is not its fault. */
async function orRefusal(write: () => Promise<RowOutcome>): Promise<RowOutcome> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof AppError) || statusOf[error.code] >= 429) throw error;
    const { code, message, details } = error;
    if (code === 'insufficient_user_authentication') return { errors: [{ message: signInAgain, path: ['roles'] }] };
    const errors = details.errors ?? [['', message] as const];
    return {
      errors: errors.map(([member, text]) => ({ message: text, path: member === '' ? [] : member.split('.') })),
    };
  }
}

const signInAgain =
  'Roles of an account administrator are given by who has signed in half an hour ago at most: sign in again and send the file again';

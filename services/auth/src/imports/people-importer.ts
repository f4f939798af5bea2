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
import type { Directory } from '../directory/module';
import { emailKeyOf, personType } from '../directory/person';
import type { Person, PersonChanges } from '../directory/person';
import { administersAny, grantCheck } from '../directory/person-access';
import type { Editor } from '../directory/person-access';
import type { ImportedRow, PersonAdministration } from '../directory/person-administration.service';
import type { PersonRepository, Visibility } from '../directory/person.repository';
import type { Announce } from '../security/announce';
import { accountsAtOnce, announceAtOnce, mostAtOnce, peopleAtOnce } from './people-at-once';
import type { Reservations, RowsRepository } from './rows.repository';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly administrationOver: Directory['administrationOver'];
  readonly announce: Announce;
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
  /** They share commands among the rows that are written side by side. */
  readonly people: PersonRepository;
  readonly personAdministration: PersonAdministration;
  readonly reservations: Reservations;
}

/** A row whose cells were read, and whom it is about; nobody yet for a new person. */
interface FoundRow {
  readonly line: number;
  readonly given: PersonChanges;
  readonly person: Person | undefined;
}

type Refused = Extract<RowOutcome, { readonly errors: unknown }>;

export interface PeopleImporter {
  /**
   * Creates and changes people as `personCreate` and `personUpdate` do, as if row by row: those that have nothing to do with
   * each other side by side, with rests in between. The same message again makes nobody twice, and has the same outcome once
   * all of its rows were written. Throws an outage after `stop`.
   */
  importRows(message: PeopleRowsRead): Promise<PeopleRowsImported['outcome']>;
  /** Ends after the present rows. Another process writes the rest when the message comes again. */
  stop(): void;
}

const columns = fileColumns(personType);
const byHeader = columnsByHeader(columns);
const known: ImportColumns = {
  names: columns.filter(({ isShownOnly }) => !isShownOnly).map(({ name }) => name),
  find: (header) => byHeader.get(foldedHeader(header)),
};

export function createPeopleImporter(dependencies: Dependencies): PeopleImporter {
  const { accounts, administrationOver, announce, rows, sequence, rests, nodeIdDomain, now } = dependencies;
  let isStopping = false;

  /** With the roles that the importer had then and still has; undefined without one that may change people. */
  async function editorOf({ accountId, importer }: PeopleRowsRead): Promise<Editor | undefined> {
    const { personId, name, homeAccountId } = importer;
    const person = await dependencies.people.find(homeAccountId, personId);
    if (!person || person.disabledAt) return undefined;
    const present: readonly Role[] = person.roles[accountId] ?? [];
    const roles = importer.roles.filter((role) => present.includes(role));
    return personEditors.some((role) => roles.includes(role)) ? { personId, name, accountId, roles } : undefined;
  }

  /** By the ID; else by source and source ID; else by the address. */
  async function findPerson({ people, visibility }: Work, cell: string, given: PersonChanges) {
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

  async function writeRow(work: Work, { line, given, person }: FoundRow): Promise<RowOutcome> {
    const { message, editor, checkGranted, personAdministration, reservations } = work;
    const { accountId, importId, isDryRun, invites, importer } = message;
    const { personId: id, name, homeAccountId } = importer;
    const row: ImportedRow = {
      isDryRun,
      invites,
      drawId: async () => (await reservations.reserve(line, { id: await sequence.next('person'), version: 0 })).id,
      entry: {
        actor: { accountId: homeAccountId, id, name },
        facts: { import: importId },
        once: [importId, String(line)],
      },
    };
    const create = async (): Promise<RowOutcome> => {
      await personAdministration.create(accountId, editor, given, row);
      return { outcome: 'created' };
    };

    if (!person) {
      checkGranted(given);
      return create();
    }
    const changes = changesOf(person, accountId, given);
    const isChanged = Object.keys(changes).length > 0;
    checkGranted(changes);
    if (!isDryRun) {
      const kept = isChanged
        ? await reservations.reserve(line, { id: person.id, version: person.version })
        : await reservations.of(line);
      const isOfRow = kept?.id === person.id;
      if (isOfRow && kept.version === 0) return create();
      const wasWritten = isOfRow && kept.version < person.version;
      if (!isChanged && !wasWritten) return { outcome: 'unchanged' };
    } else if (!isChanged) return { outcome: 'unchanged' };
    // After a crash it is announced again that tokens may have lost something.
    await personAdministration.update(accountId, editor, person.id, changes, undefined, row);
    return { outcome: 'updated' };
  }

  /** Writes the first of the rows side by side, up to the one that may depend on one of them. */
  async function writeFirst(work: Work, fitting: readonly FittingRow[]): Promise<readonly RowOutcome[]> {
    const { importer } = work.message;
    const readings = fitting.slice(0, mostAtOnce).map(async ({ line, row: { id = '', ...cells } }) => {
      const given = await orRefusal(() => readCells(personType, { nodeIdDomain, timeZone: importer.timeZone }, cells));
      if ('errors' in given) return { keys: [], row: given };
      const person = await orRefusal(() => findPerson(work, id.trim(), given));
      const isRefused = person !== undefined && 'errors' in person;
      const row: FoundRow | Refused = isRefused ? person : { line, given, person };
      return { keys: keysOf(given, isRefused ? undefined : person), row };
    });
    const taken = new Set<string>();
    const found = await allOf(readings);
    const end = found.findIndex(({ keys }) => {
      const depends = keys.some((key) => taken.has(key));
      keys.forEach((key) => taken.add(key));
      return depends;
    });
    return allOf(
      found
        .slice(0, end === -1 ? found.length : end)
        .map(async ({ row }) => ('errors' in row ? row : orRefusal(() => writeRow(work, row)))),
    );
  }

  async function writeAll(work: Work, fitting: readonly FittingRow[]): Promise<readonly RowOutcome[]> {
    const outcomes: RowOutcome[] = [];
    while (outcomes.length < fitting.length) {
      if (isStopping) throw closedError();
      const rest = fitting.slice(outcomes.length);
      outcomes.push(...(await rests.after(() => writeFirst(work, rest))));
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
      const visibility = { accountId, directoryAccountId };
      const people = peopleAtOnce(dependencies.people, visibility);
      const shared = { people, accounts: accountsAtOnce(accounts), announce: announceAtOnce(announce) };
      const work: Work = {
        message,
        editor,
        visibility,
        checkGranted: (given) => check(caller, given),
        people,
        personAdministration: administrationOver(shared),
        reservations: rows.reservations(message),
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

/** What another row may change or take too. Rows that touch account administrators follow each other: one must remain. */
function keysOf(given: PersonChanges, person: Person | undefined): readonly string[] {
  const named = [given, ...(person ? [person] : [])].flatMap(({ primaryEmail, authenticationID, source, sourceID }) => [
    ...(primaryEmail === undefined ? [] : [`address ${emailKeyOf(primaryEmail)}`]),
    ...(authenticationID == null ? [] : [`identity ${authenticationID}`]),
    ...(source == null || sourceID == null ? [] : [`source ${source} ${sourceID}`]),
  ]);
  const administers =
    given.roles?.includes('account_administrator') || (person !== undefined && administersAny(person));
  return [
    ...new Set([...named, ...(person ? [`person ${person.id}`] : []), ...(administers ? ['administrators'] : [])]),
  ];
}

/** All results; when one fails, the others have ended too. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** What a caller would be refused is a failure of the row; anything else is not its fault. */
async function orRefusal<T>(write: () => T | Promise<T>): Promise<T | Refused> {
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

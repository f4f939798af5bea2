import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Role } from '@itsm/shared/contracts/directory';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { refuse } from '@itsm/shared/declared/read-input';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from './account.repository';
import type { AuditEntry } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import type { Announce } from '../security/announce';
import type { LeaveAdministration } from './last-administrator';
import type { NewMailOrder } from '../mails/mail-order';
import type { MailQueue } from '../mails/mail-queue';
import { administeredBy, emailKeyOf, newcomerRoles, personBusy, personType } from './person';
import type { Person, PersonChanges } from './person';
import { refusedChanges, refusedRoles } from './person-access';
import type { Editor } from './person-access';
import { changePerson, newPerson } from './person-changes';
import type { PersonEventName } from './person.message';
import type { PersonRepository } from './person.repository';
import type { SavePerson } from './save-person';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly leaveAdministration: LeaveAdministration;
  readonly savePerson: SavePerson;
  readonly mails: MailQueue;
  readonly sequence: Sequence;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/** A row of an import, whose writes cause no events for webhooks. */
export interface ImportedRow {
  /** It is refused as the write would be, and nothing is written. */
  readonly isDryRun: boolean;
  /** A new person is mailed a link for choosing a password. */
  readonly invites: boolean;
  /** Draws the number of a new person: for one row always the same, so that an earlier attempt may have saved them. */
  readonly drawId: () => Promise<number>;
  /** What its entries in the security log have; of an entry that is written again only the first is kept. */
  readonly entry: Pick<AuditEntry, 'actor' | 'facts' | 'once'>;
}

export interface PersonAdministration {
  /** Creates a person and mails them a link to choose a password; those of an import only if it invites. */
  create(accountId: string, editor: Editor, given: PersonChanges, row?: ImportedRow): Promise<Person>;
  /** Changes a person; `roles` are those in `accountId`. When it returns, the person's tokens have lost what the change removes. */
  update(
    accountId: string,
    editor: Editor,
    id: number,
    given: PersonChanges,
    check?: Precondition<Person>,
    row?: ImportedRow,
  ): Promise<Person>;
  /** Gives a person roles in another account, after they have accepted them. */
  takeRoles(accountId: string, id: number, inAccountId: string, roles: readonly Role[]): Promise<void>;
}

export function createPersonAdministration(dependencies: Dependencies): PersonAdministration {
  const { people, accounts, leaveAdministration, savePerson, mails, sequence, announce, audit, now } = dependencies;

  /** Saves the person, and orders the mails for a new address. */
  const save = (
    event: PersonEventName,
    editor: Editor,
    before: Person | undefined,
    after: Person,
    row?: ImportedRow,
  ): Promise<boolean> =>
    mails.orderWith(
      isMailed(before, row) ? addressMails(before, after) : [],
      () => (row ? savePerson.withoutEvent(after) : savePerson.withEvent(event, editor, after)),
      row?.entry.once?.join(' '),
    );

  async function checkUnique({ id, accountId, primaryEmail, authenticationID }: Person): Promise<void> {
    const found = [
      await people.findByEmail(accountId, primaryEmail),
      authenticationID === null ? undefined : await people.findByAuthenticationId(accountId, authenticationID),
    ];
    // A person who was saved between the two reads may have both, but is found by the second alone.
    const others = found.flatMap((person) => (person && person.id !== id ? [person] : []));
    const isAddressTaken = others.some((other) => emailKeyOf(other.primaryEmail) === emailKeyOf(primaryEmail));
    const isNameTaken =
      authenticationID !== null && others.some((other) => other.authenticationID === authenticationID);
    const problems = {
      ...(isAddressTaken && { primaryEmail: 'is already in use' }),
      ...(isNameTaken && { authenticationID: 'is already in use' }),
    };
    if (Object.keys(problems).length > 0) throw refuse(personType, problems);
  }

  /** Loads a person visible to the account; a 404 for any other, existing or not. */
  async function load(editor: Editor, id: number): Promise<Person> {
    const account = await accounts.find(editor.accountId);
    if (!account) throw notFound();
    const visibility = { accountId: account.id, directoryAccountId: account.directoryAccountId };
    const [shown] = await people.findVisible(visibility, [id]);
    if (!shown) throw notFound();
    return shown;
  }

  async function write(editor: Editor, before: Person, after: Person, row?: ImportedRow): Promise<boolean> {
    const left = administeredBy(before).filter((accountId) => !administeredBy(after).includes(accountId));
    const saved = await leaveAdministration(left, before.id, async () =>
      row?.isDryRun ? true : save('person.update', editor, before, after, row),
    );
    if (saved !== undefined) return saved;
    const member = after.disabledAt ? 'disabled' : 'roles';
    throw validationFailed([[member, 'An account needs at least one enabled account administrator']]);
  }

  /** Writes to the logs of the person's account and of the account whose roles were changed. */
  async function record(
    accountId: string,
    after: Person,
    changed: readonly string[],
    row?: ImportedRow,
  ): Promise<void> {
    const switched: AuditEntry = { event: after.disabledAt ? 'person.disabled' : 'person.enabled', person: after };
    const members = changed.filter((member) => member !== 'disabled');
    const updated: AuditEntry = { event: 'person.updated', person: after, facts: { members } };
    const entries = [...(changed.includes('disabled') ? [switched] : []), ...(members.length > 0 ? [updated] : [])];
    for (const entry of entries) await audit.record(after.accountId, ofRow({ ...entry, alsoIn: accountId }, row));
  }

  return {
    async create(accountId, editor, given, row): Promise<Person> {
      checkAllowed(refusedRoles(editor, [], given));
      const roles = { [accountId]: given.roles ?? newcomerRoles };
      const { disabled, ...others } = given;
      let id: number | undefined;
      const attempt = async () => {
        if (row && !row.isDryRun) id ??= await row.drawId();
        const made = row && id !== undefined ? await people.find(accountId, id) : undefined;
        if (made) return made;
        const at = now();
        // A file may have people who have left.
        const standing = row && disabled && { disabledAt: at };
        const candidate = { ...newPerson(accountId, id ?? 0, row ? others : given, at), roles, ...standing };
        await checkUnique(candidate);
        if (row?.isDryRun) return candidate;
        id ??= await sequence.next('person');
        const person = { ...candidate, id };
        return (await save('person.create', editor, undefined, person, row)) ? person : stale;
      };
      const person = await writeAgain(attempt, { busy: personBusy });
      if (!row?.isDryRun) await audit.record(accountId, ofRow({ event: 'person.created', person }, row));
      return person;
    },
    async update(accountId, editor, id, given, check, row): Promise<Person> {
      const attempt = async () => {
        const before = await load(editor, id);
        checkAllowed(refusedChanges(editor, before, given));
        const { after, members } = changePerson(before, accountId, given, now());
        await check?.(before);
        if (members.length > 0) {
          await checkUnique(after);
          if (!(await write(editor, before, after, row))) return stale;
        }
        if (row?.isDryRun) return after;
        // Announce even without a change: the call may be a retry after a failed announcement.
        await announce([before.accountId], () => record(accountId, after, members, row));
        return members.length > 0 ? after : before;
      };
      return writeAgain(attempt, { busy: personBusy });
    },
    takeRoles(accountId: string, id: number, inAccountId: string, roles: readonly Role[]): Promise<void> {
      const attempt = async () => {
        const before = await people.find(accountId, id);
        if (!before) throw notFound();
        const { after: person } = changePerson(before, inAccountId, { roles }, now());
        const actor = { personId: id, name: before.name, accountId, roles: before.roles[accountId] ?? [] };
        if (!(await save('person.update', actor, before, person))) return stale;
        const facts = { roles: [...roles], in: inAccountId };
        await announce([accountId], async () => {
          await audit.record(accountId, { event: 'roles.accepted', person, facts });
          await audit.record(inAccountId, { event: 'roles.accepted', person, facts, withoutOrigin: true });
        });
      };
      return writeAgain(attempt, { busy: personBusy });
    },
  };
}

/**
 * Whether somebody is mailed about their address. Thousands of new people are not, unless it is asked for; those who could
 * sign in with their former address are, as they could not any more.
 */
const isMailed = (before: Person | undefined, row: ImportedRow | undefined): boolean =>
  !row || row.invites || before?.verified === true;

/** The entry as that of a row. */
const ofRow = (entry: AuditEntry, row: ImportedRow | undefined): AuditEntry =>
  row ? { ...entry, ...row.entry, facts: { ...entry.facts, ...row.entry.facts } } : entry;

/** The mails for an unverified address: a link to the address, and a notice to the previous one. */
function addressMails(before: Person | undefined, after: Person): NewMailOrder[] {
  const { accountId, id: personId, version } = after;
  const isNew = !before || emailKeyOf(before.primaryEmail) !== emailKeyOf(after.primaryEmail);
  if (!isNew) return [];
  const about = { accountId, personId, version };
  const link: NewMailOrder = { ...about, kind: 'address', address: after.primaryEmail };
  return before?.verified ? [link, { ...about, kind: 'address-notice', address: before.primaryEmail }] : [link];
}

function checkAllowed(refused: readonly FieldError[]): void {
  if (refused.length > 0) throw validationFailed(refused);
}

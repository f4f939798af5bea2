import { randomUUID } from 'node:crypto';
import { newRecord } from '@itsm/shared/declared/read-input';
import { badRequest, forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import { trustEachOther } from './account';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import type { Person } from './person';
import { isAdministrator } from './person-access';
import type { Editor } from './person-access';
import type { PersonAdministration } from './person-administration.service';
import type { PersonRepository } from './person.repository';
import { mostOffers, offerMilliseconds, roleOfferType } from './role-offer';
import type { NewRoleOffer, OpenOffer, RoleOffer } from './role-offer';
import type { RoleOfferRepository } from './role-offer.repository';

interface Dependencies {
  readonly offers: RoleOfferRepository;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly personAdministration: Pick<PersonAdministration, 'takeRoles'>;
  readonly audit: Audit;
  readonly now: Clock;
}

/** Roles for people of other accounts, where both accounts trust each other: administrators offer them, and people accept. */
export interface RoleOffers {
  /** The answer does not reveal whether the partner has a person with this address. Without roles it withdraws an offer. */
  offer(accountId: string, editor: Editor, given: NewRoleOffer): Promise<RoleOffer>;
  /** The account's offers that have not been accepted, for its administrators. */
  listOpen(accountId: string, editor: Editor): Promise<readonly OpenOffer[]>;
  /** Withdraws one of these; 404 when it does not exist, or no longer. */
  withdraw(accountId: string, editor: Editor, id: string): Promise<void>;
  /** Offers to the person, with the name of each account. */
  list(accountId: string, person: Person): Promise<readonly (RoleOffer & { readonly accountName: string })[]>;
  /** 404 when the person has no such offer, or no longer. */
  accept(accountId: string, person: Person, id: string): Promise<void>;
  decline(accountId: string, person: Person, id: string): Promise<void>;
}

export function createRoleOffers(dependencies: Dependencies): RoleOffers {
  const { offers, people, accounts, personAdministration, audit, now } = dependencies;

  async function checkTrust(accountId: string, partnerId: string): Promise<boolean> {
    const [account, partner] = await Promise.all([accounts.find(accountId), accounts.find(partnerId)]);
    return account !== undefined && partner !== undefined && areInTrust(account, partner);
  }

  /** Only the log of the person's account shows whether there is such a person. */
  async function record(event: 'roles.offered' | 'roles.withdrawn', offer: RoleOffer): Promise<void> {
    const { accountId, homeAccountId, primaryEmail: to } = offer;
    const person = await people.findByEmail(homeAccountId, to);
    const facts = { roles: [...offer.roles], to };
    await audit.record(accountId, { event, facts: { ...facts, of: homeAccountId } });
    await audit.record(homeAccountId, {
      event,
      facts: { ...facts, in: accountId },
      ...(person && { person }),
      withoutOrigin: true,
    });
  }

  async function take(person: Person, id: string, how: 'take' | 'decline'): Promise<RoleOffer> {
    // The offer is for the owner of the address, so the address must be verified.
    const offer = person.verified ? await offers[how](person, id, now()) : undefined;
    if (!offer) throw notFound();
    return offer;
  }

  return {
    async offer(accountId, editor, given) {
      checkAdministrator(editor);
      const { accountID: homeAccountId, primaryEmail, roles } = newRecord(roleOfferType, given);
      if (!(await checkTrust(accountId, homeAccountId))) {
        throw validationFailed([['accountID', 'Account is not one that trusts this one, and that this one trusts']]);
      }
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + offerMilliseconds);
      const offeredBy = { id: editor.personId, name: editor.name };
      const offer = {
        id: randomUUID(),
        accountId,
        homeAccountId,
        primaryEmail,
        roles,
        offeredBy,
        createdAt,
        expiresAt,
      };
      if (roles.length === 0) await offers.withdraw(accountId, { accountId: homeAccountId, primaryEmail });
      else if ((await offers.count(accountId)) < mostOffers) await offers.replace(offer);
      else throw validationFailed([['primary_email', `No more than ${mostOffers} offers can be open`]]);
      await record('roles.offered', offer);
      return offer;
    },
    async listOpen(accountId, editor) {
      checkAdministrator(editor);
      const open = await offers.listOf(accountId, now());
      const [account, partners] = await Promise.all([
        accounts.find(accountId),
        accounts.findMany([...new Set(open.map(({ homeAccountId }) => homeAccountId))]),
      ]);
      const byId = new Map(partners.map((partner) => [partner.id, partner]));
      return open.map((offer) => {
        const partner = byId.get(offer.homeAccountId);
        const canBeAccepted = account !== undefined && partner !== undefined && areInTrust(account, partner);
        // The name of an account that ended the trust is no longer shown.
        return { ...offer, partnerName: canBeAccepted ? partner.name : offer.homeAccountId, canBeAccepted };
      });
    },
    async withdraw(accountId, editor, id) {
      checkAdministrator(editor);
      const offer = await offers.delete(accountId, id);
      if (!offer) throw notFound();
      await record('roles.withdrawn', offer);
    },
    async list(accountId, person) {
      if (!person.verified) return [];
      const open = await offers.list({ accountId, primaryEmail: person.primaryEmail }, now());
      const names = new Map(
        (await accounts.findMany(open.map((offer) => offer.accountId))).map(({ id, name }) => [id, name]),
      );
      return open.map((offer) => ({ ...offer, accountName: names.get(offer.accountId) ?? offer.accountId }));
    },
    async accept(accountId, person, id) {
      const offer = await take(person, id, 'take');
      if (!(await checkTrust(accountId, offer.accountId))) throw badRequest('The accounts no longer trust each other.');
      await personAdministration.takeRoles(accountId, person.id, offer.accountId, offer.roles);
    },
    async decline(accountId, person, id) {
      const { roles, accountId: from } = await take(person, id, 'decline');
      // The other account does not learn of it: it still sees an open offer.
      await audit.record(accountId, { event: 'roles.declined', person, facts: { roles: [...roles], in: from } });
    },
  };
}

const areInTrust = (account: Account, partner: Account): boolean =>
  !partner.disabledAt && trustEachOther(account, partner);

function checkAdministrator(editor: Editor): void {
  if (!isAdministrator(editor)) throw forbidden('Only an account administrator can offer roles');
}

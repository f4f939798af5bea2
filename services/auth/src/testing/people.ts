import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { formTokenIn } from './browser';
import type { Browser } from './browser';
import { call, nodeId } from './caller';
import type { Answer } from './caller';
import type { Auth, SeededPerson } from './start-auth';
import { seedPerson } from './start-auth';

export const createText = `mutation ($input: PersonCreateInput!) { personCreate(input: $input) {
  person { id name primaryEmail authenticationID locale timeZone source sourceID roles disabled }
  errors { message path } clientMutationId } }`;
export const updateText = createText
  .replaceAll('personCreate', 'personUpdate')
  .replaceAll('PersonCreate', 'PersonUpdate');

const offerText = `mutation ($input: RoleOfferCreateInput!) { roleOfferCreate(input: $input) {
  roleOffer { accountID primaryEmail roles expiresAt } errors { message path } } }`;

export interface Payload {
  readonly person: Record<string, unknown> | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

export const payloadIn = ({ data }: Answer): Payload => Object.values(data ?? {})[0] as Payload;

/** The integer id of the person in a payload. */
export const idIn = (payload: Payload): number =>
  Number(Buffer.from(String(payload.person?.['id']), 'base64url').toString().split('/')[2]);

/** An input with every member. */
export const grace = {
  name: 'Grace Lin',
  primaryEmail: 'Grace.Lin@wdc.example',
  authenticationID: 'idp|grace',
  locale: 'nl-NL',
  timeZone: 'Europe/Amsterdam',
  source: 'HR',
  sourceID: 'hr-17',
  roles: ['specialist', 'specialist'],
};

type Document = Record<string, unknown> & { readonly _id: number };

/** Common calls in tests of people; `auth` returns the present service. */
export const createPeopleClient = (auth: () => Auth) => ({
  create: (person: SeededPerson, input: object) => call(auth(), person, createText, { input }),
  update: (person: SeededPerson, id: number, input: object) =>
    call(auth(), person, updateText, { input: { id: nodeId('Person', id), ...input } }),
  /** Offers roles in the account of `person` to a person of another account. */
  offerRoles: (person: SeededPerson, to: Pick<SeededPerson, 'accountId' | 'email'>, roles: readonly string[]) =>
    call(auth(), person, offerText, { input: { accountID: to.accountId, primaryEmail: to.email, roles } }),
  /** Answers the first offer on the profile page. */
  answerOffer: async (browser: Browser, decision: 'accept' | 'decline') => {
    const page = await browser.get('/oauth/profile');
    const [action = ''] = new RegExp(`/oauth/profile/role-offers/[\\w-]+/${decision}`).exec(page.text) ?? [];
    return browser
      .post(action)
      .type('form')
      .send({ form_token: formTokenIn(page) });
  },
  /** Another person of the same account. */
  colleague: (person: SeededPerson, more: Parameters<typeof seedPerson>[1] = {}) =>
    seedPerson(auth(), { accountId: person.accountId, roles: ['end_user'], ...more }),
  revisionOf: async (accountId: string) =>
    (await auth().coordination.take([], [accountRevision(accountId)])).revisions[0],
  stored: (id: number) => auth().connection.collection<Document>('people').findOne({ _id: id }),
  /** Waits for `atLeast` person events of the account and returns them. */
  eventsOf: (accountId: string, atLeast: number) => {
    const events = auth().published.events.filter((event) => event.accountId === accountId);
    return events.length >= atLeast ? events : undefined;
  },
});

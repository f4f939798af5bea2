import { digestOf, kindOf } from '@itsm/shared/tokens/opaque-token';
import type { Connection } from 'mongoose';
import type { Account } from '../accounts/account';
import { accountCollection, toAccount } from '../accounts/account.repository';
import type { Application } from '../applications/application';
import { toApplication } from '../applications/application.repository';
import type { Person } from '../people/person';
import { personCollection, toPerson } from '../people/person.repository';
import type { SsoConfiguration } from '../sso-configurations/sso-configuration';
import type { GrantReference, TokenFamily } from '../token-families/token-family';
import type { AccessToken, RefreshToken } from '../tokens/token';
import { grantJoins, toGrantState } from './grant-joins';
import type { JoinedGrant } from './grant-joins';
import type { Granted } from './grant-state.repository';

/** What a client sent along with its credentials; nothing for what is unknown or of a wrong form. */
export interface Brought {
  readonly access?: Granted<AccessToken>;
  readonly refresh?: Granted<RefreshToken>;
  readonly code?: Granted<TokenFamily>;
  /** The SSO configuration that the application names, when it is of the application's own account. */
  readonly ssoConfiguration?: SsoConfiguration;
  /** The account of the application, and its directory account. */
  readonly accounts?: readonly Account[];
  /** The people of these accounts whom an identity token may mean. */
  readonly people?: readonly Person[];
}

/** Whom an identity token that nobody has verified yet may mean: by the key of an e-mail address, or by the provider's name. */
export interface Meant {
  readonly emailKey?: string | undefined;
  readonly authenticationId?: string | undefined;
}

/** What to look up together with the client. */
export interface Look {
  /** A token or a code. */
  readonly secret?: string | undefined;
  /** Adds the SSO configuration of the application, the accounts whose people it may name, and whom this means there. */
  readonly meant?: Meant;
}

/** A client that names itself, as it is at this moment. */
export interface ClientState {
  readonly application: Application;
  /** When the next attempt under the given key is allowed; undefined when none has failed. */
  readonly openAt: Date | undefined;
  readonly brought: Brought;
}

/** All that a client's request depends on: one read, never of a cache. */
export interface ClientStateRepository {
  /** Undefined when no application has this client id. */
  findClient(clientId: string, throttleKey: string, look: Look): Promise<ClientState | undefined>;
}

interface Joined extends JoinedGrant, Meeting {
  readonly client: Parameters<typeof toApplication>[0];
  readonly throttle: readonly { readonly openAt: Date }[];
  readonly subject?: { readonly grant: GrantReference };
  readonly sso?: readonly (Omit<SsoConfiguration, 'id'> & { readonly _id: number })[];
  readonly account?: Parameters<typeof toAccount>[0];
  readonly directory?: readonly Parameters<typeof toAccount>[0][];
}

type Meeting = Partial<Record<(typeof meetings)[number]['as'], readonly Parameters<typeof toPerson>[0][]>>;

interface Place {
  readonly as: 'access' | 'refresh' | 'code';
  readonly from: string;
  readonly foreignField: string;
}

const access = { as: 'access', from: 'access_tokens', foreignField: '_id' } as const;
const places: Partial<Record<string, Place>> = {
  at: access,
  xt: access,
  rt: { as: 'refresh', from: 'refresh_tokens', foreignField: '_id' },
  ac: { as: 'code', from: 'token_families', foreignField: 'code.digest' },
};

const subjectJoins = ({ from, foreignField }: Place) => [
  { $lookup: { from, localField: 'digest', foreignField, as: 'subject' } },
  { $unwind: { path: '$subject', preserveNullAndEmptyArrays: true } },
  ...grantJoins('subject.grant'),
];

const join = (from: string, localField: string, as: string) => ({
  $lookup: { from, localField, foreignField: '_id', as },
});

const identityProviderJoins = [
  join('sso_configurations', 'client.ssoConfigurationId', 'sso'),
  join(accountCollection, 'client.accountId', 'account'),
  { $unwind: { path: '$account', preserveNullAndEmptyArrays: true } },
  join(accountCollection, 'account.directoryAccountId', 'directory'),
];

/** Where people are looked for, and by what: the account and this member have a unique index, which leads to one person. */
const meetings = [
  { as: 'ownByEmail', localField: 'client.accountId', member: 'emailKey' },
  { as: 'ownByAuthenticationId', localField: 'client.accountId', member: 'authenticationId' },
  { as: 'directoryByEmail', localField: 'account.directoryAccountId', member: 'emailKey' },
  { as: 'directoryByAuthenticationId', localField: 'account.directoryAccountId', member: 'authenticationId' },
] as const;

const meantJoins = (meant: Meant) => [
  ...identityProviderJoins,
  ...meetings.flatMap(({ as, localField, member }) => {
    const { [member]: value } = meant;
    const pipeline = [{ $match: { [member]: value } }];
    return value === undefined
      ? []
      : [{ $lookup: { from: personCollection, localField, foreignField: 'accountId', pipeline, as } }];
  }),
];

export function createClientStateRepository(connection: Connection): ClientStateRepository {
  return {
    async findClient(clientId, throttleKey, { secret = '', meant }) {
      const place = places[kindOf(secret) ?? ''];
      const digest = digestOf(secret);
      const given = { throttleKey: { $literal: throttleKey }, digest: { $literal: digest } };
      const [found] = await connection
        .collection('applications')
        .aggregate<Joined>([
          { $match: { 'tokens.clientId': clientId } },
          { $limit: 1 },
          { $replaceRoot: { newRoot: { client: '$$ROOT', ...given } } },
          { $lookup: { from: 'sign_in_throttles', localField: 'throttleKey', foreignField: '_id', as: 'throttle' } },
          ...(place ? subjectJoins(place) : []),
          ...(meant ? meantJoins(meant) : []),
        ])
        .toArray();
      if (!found) return undefined;
      return {
        application: toApplication(found.client),
        openAt: found.throttle[0]?.openAt,
        brought: {
          ...(place && broughtBy(found, place, digest)),
          ...ownSsoConfiguration(found),
          ...(meant && accountsAndPeople(found)),
        },
      };
    },
  };
}

function broughtBy({ subject, ...joined }: Joined, { as }: Place, digest: string): Brought {
  if (!subject) return {};
  return { [as]: { subject: { ...subject, digest }, state: toGrantState(subject.grant, joined) } };
}

const accountsAndPeople = (found: Joined): Brought => ({
  accounts: [found.account ?? [], found.directory ?? []].flat().map(toAccount),
  people: meetings.flatMap(({ as }) => found[as] ?? []).map(toPerson),
});

function ownSsoConfiguration({ sso: [found] = [], client }: Joined): Brought {
  if (found?.accountId !== client.accountId) return {};
  const { _id: id, ...fields } = found;
  return { ssoConfiguration: { id, ...fields } };
}

import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import { asOneOfTexts } from '@itsm/shared/stores/mongo/partial-index';
import { digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Connection } from 'mongoose';
import type { Account } from '../directory/account';
import { accountCollection, toAccount } from '../directory/account.repository';
import type { Application } from '../clients/application';
import { applicationCollection, toApplication } from '../clients/application.repository';
import { hasClient } from '../clients/installed-application';
import type { Person } from '../directory/person';
import { personCollection, toPerson } from '../directory/person.document';
import type { SsoConfiguration } from '../clients/sso-configuration';
import { ssoConfigurationCollection, toSsoConfiguration } from '../clients/sso-configuration.repository';
import { throttleCollection } from '../security/throttle.repository';
import type { GrantReference, TokenFamily } from './token-family';
import type { AccessToken, RefreshToken } from './token';
import { grantJoins, join, readPresent, sharedReads, toGrantState } from './grant-joins';
import type { JoinedGrant } from './grant-joins';
import type { Granted } from './grant-state.repository';

/** The state of what a client sent with its credentials: a token, a code or an identity token. Empty when unknown or malformed. */
export interface PresentedState {
  readonly access?: Granted<AccessToken>;
  readonly refresh?: Granted<RefreshToken>;
  readonly code?: Granted<TokenFamily>;
  /** The SSO configuration that the application uses, when it is of the application's own account. */
  readonly ssoConfiguration?: SsoConfiguration;
  /** The account of the application, and its directory account. */
  readonly accounts?: readonly Account[];
  /** People of these accounts, including every candidate of the identity token. */
  readonly people?: readonly Person[];
}

/** The keys of the people whom an unverified identity token may identify: an e-mail key, or an authentication ID. */
export interface PersonKeys {
  readonly emailKey?: string | undefined;
  readonly authenticationId?: string | undefined;
}

/** What to read together with the client: the state of a token or code, or the candidates of an identity token. */
export type Look =
  | {
      readonly secret?: string | undefined;
      readonly personKeys?: undefined;
    }
  | {
      readonly secret?: undefined;
      /** Reads the application's SSO configuration, the accounts it may be used for, and the candidates in them. */
      readonly personKeys: PersonKeys;
    };

/** The present state of a client, not authenticated yet. */
export interface ClientState {
  readonly application: Application;
  /** When the next attempt under the throttle key is allowed; undefined without failures. */
  readonly openAt: Date | undefined;
  readonly presented: PresentedState;
}

/** Reads everything that a client's request depends on. Never cached. */
export interface ClientStateRepository {
  /** Undefined when no application has this client id. */
  findClient(clientId: string, throttleKey: string, look: Look): Promise<ClientState | undefined>;
}

interface Throttle {
  readonly _id: string;
  readonly openAt: Date;
}

interface JoinedClient {
  readonly client: Parameters<typeof toApplication>[0];
  readonly throttles: readonly Throttle[];
}

interface JoinedToken extends JoinedGrant {
  readonly subject?: Subject;
}

interface Subject {
  readonly grant: GrantReference;
  readonly _id: string;
  readonly code?: { readonly digest: string };
}

type JoinedSubject = JoinedClient & JoinedToken;

interface JoinedPeople extends JoinedClient, Meeting {
  readonly sso: readonly Parameters<typeof toSsoConfiguration>[0][];
  readonly account?: Parameters<typeof toAccount>[0];
  readonly directory: readonly Parameters<typeof toAccount>[0][];
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
  { $lookup: { from, localField: 'digests', foreignField, as: 'subject' } },
  { $unwind: { path: '$subject', preserveNullAndEmptyArrays: true } },
  ...grantJoins('subject.grant'),
];

/** As the joins of a stored client, for the installation's client, which has no document. */
const subjectOf = ({ foreignField }: Place, digest: string) => [
  { $match: { [foreignField]: digest } },
  { $replaceRoot: { newRoot: { subject: '$$ROOT' } } },
  ...grantJoins('subject.grant'),
];

const identityProviderJoins = [
  join(ssoConfigurationCollection, 'client.ssoConfigurationId', 'sso'),
  join(accountCollection, 'client.accountId', 'account'),
  { $unwind: { path: '$account', preserveNullAndEmptyArrays: true } },
  join(accountCollection, 'account.directoryAccountId', 'directory'),
];

/** The joins that find candidates. Account and member have a unique index, so each finds at most one person. */
const meetings = [
  { as: 'ownByEmail', localField: 'client.accountId', member: 'emailKey' },
  { as: 'ownByAuthenticationId', localField: 'client.accountId', member: 'authenticationId' },
  { as: 'directoryByEmail', localField: 'account.directoryAccountId', member: 'emailKey' },
  { as: 'directoryByAuthenticationId', localField: 'account.directoryAccountId', member: 'authenticationId' },
] as const;

const candidateJoins = (personKeys: readonly PersonKeys[]) => [
  ...identityProviderJoins,
  ...meetings.flatMap(({ as, localField, member }) => {
    const values = [...new Set(personKeys.flatMap(({ [member]: value }) => value ?? []))];
    const pipeline = [{ $match: { [member]: asOneOfTexts(values) } }];
    return values.length === 0
      ? []
      : [{ $lookup: { from: personCollection, localField, foreignField: 'accountId', pipeline, as } }];
  }),
];

interface Question {
  readonly clientId: string;
  readonly throttleKey: string;
}

/** `digest`: of the secret sent with the request. */
interface QuestionOfSecret extends Question {
  readonly digest: string;
}

/** The digests by client, so that an application gets only what its own clients sent. */
const digestsOf = (questions: readonly QuestionOfSecret[]) => {
  const presented = { $literal: questions.map(({ clientId, digest }) => ({ clientId, digest })) };
  const own = { $filter: { input: presented, as: 'one', cond: { $in: ['$$one.clientId', '$tokens.clientId'] } } };
  return { $map: { input: own, as: 'one', in: '$$one.digest' } };
};

/** Stages that find applications by client id: one document per client, with the application in `client`, and its throttle. */
const clients = (questions: readonly Question[], given: object = {}) => {
  const clientIds = new Set(questions.map(({ clientId }) => clientId));
  const throttleKeys = { $literal: [...new Set(questions.map(({ throttleKey }) => throttleKey))] };
  return [
    { $match: { 'tokens.clientId': { $in: [...clientIds] } } },
    { $replaceRoot: { newRoot: { client: '$$ROOT', throttleKeys, ...given } } },
    { $lookup: { from: throttleCollection, localField: 'throttleKeys', foreignField: '_id', as: 'throttles' } },
  ];
};

export function createClientStateRepository(connection: Connection, installed?: Application): ClientStateRepository {
  const applications = connection.collection(applicationCollection);

  /** As `findWithSubject`, in two reads, because the application is not stored. */
  async function findInstalled(
    application: Application,
    { throttleKey }: Question,
    secret: string,
  ): Promise<ClientState> {
    const place = places[kindOf(secret) ?? ''];
    const digest = digestOf(secret);
    const [throttle, [found]] = await Promise.all([
      connection.collection<Throttle>(throttleCollection).findOne({ _id: throttleKey }),
      place ? readPresent<JoinedToken>(connection.collection(place.from), subjectOf(place, digest)) : [undefined],
    ]);
    const presented = place && found ? presentedToken(found, place, digest, installed) : {};
    return { application, openAt: throttle?.openAt, presented };
  }

  /** As `findWithPeople`, for clients that send a token or code of one type (`place`), or none. */
  const findWithSubject = (place?: Place) =>
    createBatcher<QuestionOfSecret, ClientState | undefined>(async (questions) => {
      const found = await readPresent<JoinedSubject>(applications, [
        ...clients(questions, { digests: digestsOf(questions) }),
        ...(place ? subjectJoins(place) : []),
      ]);
      return questions.map(({ clientId, throttleKey, digest }) => {
        const own = found.filter(({ client }) => client.tokens.some((token) => token.clientId === clientId));
        const [first] = own;
        if (!first) return undefined;
        const joined = place && own.find(({ subject }) => subject && digestIn(subject, place) === digest);
        return {
          application: toApplication(first.client),
          openAt: openAt(first, throttleKey),
          presented: place && joined ? presentedToken(joined, place, digest, installed) : {},
        };
      });
    }, sharedReads);
  const findByKind = new Map(Object.entries(places).map(([kind, place]) => [kind, findWithSubject(place)]));
  const findWithoutSubject = findWithSubject();

  const findWithPeople = createBatcher<Question & { readonly personKeys: PersonKeys }, ClientState | undefined>(
    async (questions) => {
      const found = await applications
        .aggregate<JoinedPeople>([
          ...clients(questions),
          ...candidateJoins(questions.map(({ personKeys }) => personKeys)),
        ])
        .toArray();
      const byClient = new Map(
        found.flatMap((joined) => {
          const about = { application: toApplication(joined.client), presented: presentedCandidates(joined) };
          return about.application.tokens.map(({ clientId }) => [clientId, { joined, about }] as const);
        }),
      );
      return questions.map(({ clientId, throttleKey }) => {
        const client = byClient.get(clientId);
        return client && { ...client.about, openAt: openAt(client.joined, throttleKey) };
      });
    },
    sharedReads,
  );

  return {
    findClient(clientId, throttleKey, { secret = '', personKeys }) {
      const question = { clientId, throttleKey };
      if (installed && hasClient(installed, clientId)) return findInstalled(installed, question, secret);
      if (personKeys) return findWithPeople({ ...question, personKeys });
      const find = findByKind.get(kindOf(secret) ?? '') ?? findWithoutSubject;
      return find({ ...question, digest: digestOf(secret) });
    },
  };
}

const digestIn = ({ _id, code }: Subject, { as }: Place): string | undefined => (as === 'code' ? code?.digest : _id);

const openAt = ({ throttles }: JoinedClient, throttleKey: string): Date | undefined =>
  throttles.find(({ _id }) => _id === throttleKey)?.openAt;

function presentedToken(
  { subject, ...joined }: JoinedToken,
  { as }: Place,
  digest: string,
  installed: Application | undefined,
): PresentedState {
  if (!subject) return {};
  return { [as]: { subject: { ...subject, digest }, state: toGrantState(subject.grant, joined, installed) } };
}

const presentedCandidates = (found: JoinedPeople): PresentedState => ({
  ...ownSsoConfiguration(found),
  accounts: [found.account ?? [], found.directory].flat().map(toAccount),
  people: meetings.flatMap(({ as }) => found[as] ?? []).map(toPerson),
});

function ownSsoConfiguration({ sso: [found], client }: JoinedPeople): PresentedState {
  return found?.accountId === client.accountId ? { ssoConfiguration: toSsoConfiguration(found) } : {};
}

import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { NoticeKind } from '../notices/concerned';
import type { Notices } from '../notices/module';
import { preferencesOf } from '../notices/preferences';
import type { Ways } from '../notices/preferences';

interface Dependencies {
  readonly notices: Pick<Notices, 'preferences' | 'areMailed'>;
  readonly directory: Pick<DirectoryRepository, 'findPeople'>;
}

type Input = MutationInput & { readonly kinds: readonly ({ readonly kind: NoticeKind } & Ways)[] };

/** How the caller wants to be notified. */
export const preferenceTypeDefs = /* GraphQL */ `
  "Whether the caller is mailed about notices."
  enum NoticeMails {
    sent
    "The platform has no mail server."
    no_mail_server
    "The caller has not followed a link that was mailed to their address."
    unverified
  }

  "In which ways the caller is notified for one reason, in the selected account."
  type NoticePreference {
    kind: NoticeKind!
    "In the list of notices and at the bell."
    bell: Boolean!
    "By mail, a minute after the first, unless it was read."
    mail: Boolean!
  }

  type NoticePreferences {
    "Of every reason, the most important first."
    kinds: [NoticePreference!]!
    mails: NoticeMails!
  }

  input NoticePreferenceInput {
    kind: NoticeKind!
    bell: Boolean!
    mail: Boolean!
  }

  input NoticePreferencesUpdateInput {
    "Reasons that are not named keep their ways."
    kinds: [NoticePreferenceInput!]!
    clientMutationId: String
  }

  type NoticePreferencesUpdatePayload {
    "Null when the input was refused."
    noticePreferences: NoticePreferences
    errors: [ValidationError!]!
    clientMutationId: String
  }

  extend type Query {
    "How the caller is notified: what they have chosen, and the defaults of their roles for the rest."
    noticePreferences: NoticePreferences
  }

  extend type Mutation {
    "Chooses how the caller is notified in the selected account from now on."
    noticePreferencesUpdate(input: NoticePreferencesUpdateInput!): NoticePreferencesUpdatePayload
  }
`;

/** Resolvers of how the caller wants to be notified. */
export function createPreferenceResolvers({ notices, directory }: Dependencies): ResolverMap {
  const { preferences, areMailed } = notices;
  async function present(caller: Caller) {
    const all = preferencesOf(await preferences.find(caller), seesAccount(caller));
    const [person] = areMailed ? await directory.findPeople([caller.personId]) : [];
    const kinds = Object.entries(all).map(([kind, ways]) => ({ kind, ...ways }));
    return { kinds, mails: !areMailed ? 'no_mail_server' : person?.verified === true ? 'sent' : 'unverified' };
  }
  return {
    Query: {
      noticePreferences: allowed('notice:Read', (_parent, _args, { caller }) => present(caller)),
    },
    Mutation: {
      noticePreferencesUpdate: allowed<MutationArgs<Input>>('notice:Update', (_parent, { input }, { caller }) =>
        toPayload(input, async ({ kinds }) => {
          const chosen = kinds.map(({ kind, bell, mail }) => [kind, { bell, mail }] as const);
          if (chosen.length > 0) await preferences.choose(caller, Object.fromEntries(chosen));
          return { noticePreferences: await present(caller) };
        }),
      ),
    },
  };
}

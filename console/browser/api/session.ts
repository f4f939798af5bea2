import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { writeFor } from '../design/formats';
import { ApiError, failureOf, olderPlatform } from './errors';
import { messageOf, request } from './request';
import { tellSession } from './renewal';

export type Role =
  'account_administrator' | 'auditor' | 'directory_administrator' | 'end_user' | 'key_contact' | 'specialist';

/** The signed-in person, and the account of the page. */
export interface Session {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly primaryEmail: string;
    readonly locale: string | null;
    readonly timeZone: string | null;
  };
  readonly account: { readonly accountID: string; readonly name: string; readonly customUrl: string | null };
  readonly roles: readonly Role[];
  readonly accounts: readonly { readonly accountID: string; readonly name: string; readonly disabled: boolean }[];
  readonly expiresAt: string;
  readonly build: string;
}

export const sessionOptions = (account: string) =>
  queryOptions({
    queryKey: ['session', account],
    queryFn: () => loadSession(account),
    staleTime: Infinity,
    // Only a rate limit is waited for; the page shows any other failure.
    retry: (count, error) => failureOf(error).kind === 'too_fast' && count < 3,
  });

/** Required members: without one of them no screen can be shown. */
const members: readonly (keyof Session)[] = ['person', 'account', 'roles', 'accounts', 'expiresAt'];

async function loadSession(account: string): Promise<Session> {
  const answer = await request('/console/session', { account, isRead: true });
  if (answer.status === 403) throw new ApiError({ kind: 'wrong_account' });
  if (!answer.ok)
    throw new ApiError({
      kind: 'broken',
      message: messageOf(await answer.text()) ?? 'The session could not be loaded.',
      requestId: undefined,
    });
  const session = (await answer.json()) as Session;
  if (!members.every((member) => Object.hasOwn(session, member))) throw new ApiError(olderPlatform(answer));
  tellSession(session.expiresAt);
  writeFor(session.person);
  return session;
}

/** The session for the account in the address; always present below the frame. */
export const useSession = (account: string): Session => useSuspenseQuery(sessionOptions(account)).data;

const roleNames: Readonly<Record<Role, string>> = {
  account_administrator: 'account administrator',
  auditor: 'auditor',
  directory_administrator: 'directory administrator',
  end_user: 'end user',
  key_contact: 'key contact',
  specialist: 'specialist',
};
/** "account administrator and specialist". */
export const rolesInWords = (roles: readonly Role[]): string =>
  roles.length === 0 ? 'no role' : new Intl.ListFormat('en').format(roles.map((role) => roleNames[role] ?? role));

import type { ServerResponse } from 'node:http';
import { createInFlight } from '@itsm/shared/api/http/in-flight';
import type { Session } from './session-cookie';

/** Calls at once in one process of the console, as the gateway counts them for callers: of a session, and of an account. */
export const mostInFlight = { session: 20, account: 60, uploadsOfSession: 4, uploadsOfAccount: 8 } as const;

/** Counts what is under way for who is signed in, however many of them are behind one address. */
export interface CallsInFlight {
  /** Begins a call, which ends with `res`; 429 when too many are under way. */
  begin(session: Session, res: ServerResponse, isUpload?: boolean): void;
}

/** Accounts are those that people belong to: which one a page shows is for the page to say. */
export function createCallsInFlight(): CallsInFlight {
  const { session, account, uploadsOfSession, uploadsOfAccount } = mostInFlight;
  const ofSessions = createInFlight({ each: session, whose: 'this session' });
  const ofAccounts = createInFlight({ each: account, whose: 'this account' });
  const uploadsOfSessions = createInFlight({ each: uploadsOfSession, whose: 'the imports of this session' });
  const uploadsOfAccounts = createInFlight({ each: uploadsOfAccount, whose: 'the imports of this account' });
  return {
    begin({ token, account: accountId }, res, isUpload = false) {
      ofSessions.begin(token, res);
      ofAccounts.begin(accountId, res);
      if (!isUpload) return;
      uploadsOfSessions.begin(token, res);
      uploadsOfAccounts.begin(accountId, res);
    },
  };
}

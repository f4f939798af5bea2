import type { ServerResponse } from 'node:http';
import { createInFlight } from '@itsm/shared/api/http/in-flight';
import type { Session } from './session-cookie';

/** Concurrency limits of one console process, like the gateway's for callers: per session and per account. */
export const mostInFlight = { session: 20, account: 60, uploadsOfSession: 4, uploadsOfAccount: 8 } as const;

/** Limits concurrent calls per signed-in person, since many may share one address. */
export interface CallsInFlight {
  /** Counts a call as in flight until `res` ends; 429 at the limit. */
  begin(session: Session, res: ServerResponse, isUpload?: boolean): void;
}

/** Counts by the person's home account, since the shown account is the page's choice. */
export function createCallsInFlight(): CallsInFlight {
  const { session, account, uploadsOfSession, uploadsOfAccount } = mostInFlight;
  const ofSessions = createInFlight({ each: session, whose: 'this session' });
  const ofAccounts = createInFlight({ each: account, whose: 'this account' });
  const uploadsOfSessions = createInFlight({ each: uploadsOfSession, whose: 'the uploads of this session' });
  const uploadsOfAccounts = createInFlight({ each: uploadsOfAccount, whose: 'the uploads of this account' });
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

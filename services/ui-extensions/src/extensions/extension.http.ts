import type { Request, Router } from 'express';
import type { Route } from '@itsm/shared/running/module';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import { callerOf } from '@itsm/shared/api/identity/authenticate';

/** What the addresses and ids of records are made with. */
export interface Addressing {
  /** Public origin of the API: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Begins every node id: `itsm.example.com`. */
  readonly nodeIdDomain: string;
}

/** Which versions the caller sees; see `seesAccount`. */
export const seenBy = (caller: Pick<Caller, 'roles'>): { readonly prepared: boolean } => ({
  prepared: seesAccount(caller),
});

/** Who writes, in which account. */
export function authorOf(req: Request) {
  const { accountId, personId: id, name } = callerOf(req);
  return { accountId, id, name };
}

/** Extensions answer with the version of the API in their path, and without. */
export const extensionRoutes = (router: Router): readonly Route[] =>
  ['/v1/ui_extensions', '/ui_extensions'].map((path) => ({ path, access: 'caller', router }));

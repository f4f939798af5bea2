import type { Router } from 'express';
import type { Route } from '@itsm/shared/running/module';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { Author } from './audit-line';

/** Settings for URLs and node ids of records. */
export interface Addressing {
  /** Public origin of the API: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The prefix of every node id: `itsm.example.com`. */
  readonly nodeIdDomain: string;
}

/** Whether the caller sees the prepared version; see `seesAccount`. */
export const seenBy = (caller: Pick<Caller, 'roles'>): { readonly prepared: boolean } => ({
  prepared: seesAccount(caller),
});

export const authorOf = ({ personId: id, name }: Pick<Caller, 'personId' | 'name'>): Author => ({ id, name });

/** The routes with and without the API version in the path. */
export const extensionRoutes = (router: Router): readonly Route[] =>
  ['/v1/ui_extensions', '/ui_extensions'].map((path) => ({ path, access: 'caller', router }));

import express from 'express';
import type { Request, RequestHandler, Router } from 'express';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Person } from '@itsm/shared/contracts/records';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';

export const administrators = (action: Action): RequestHandler => allow(action, 'account_administrator');

export const accountOf = (req: Request): string => callerOf(req).accountId;

/** The caller in the form that events and audit lines use. */
export const callingPerson = ({ personId: id, name }: Caller, { nodeIdOf }: Addresses): Person => ({
  id,
  nodeID: nodeIdOf('Person', id),
  name,
});

/** A router whose answers are not cached: addresses may contain secrets, for example in the query, and so may keys. */
export function createPrivateRouter(): Router {
  const router = express.Router();
  return router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
}

import type { Request, RequestHandler } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Action } from '@itsm/shared/contracts/scopes';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Addresses } from './addresses';
import type { Person } from '@itsm/shared/contracts/records';

export const administrators = (action: Action): RequestHandler => allow(action, 'account_administrator');

/** Addresses may hold secrets, in their query for example. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

export const accountOf = (req: Request): string => callerOf(req).accountId;

/** The caller, as events and audits name them. */
export const callingPerson = ({ personId: id, name }: Caller, { nodeIdOf }: Addresses): Person => ({
  id,
  nodeID: nodeIdOf('Person', id),
  name,
});

/** The webhook that `:id` names, by integer or node id; Not Found when it can name none. */
export function webhookIdOf(req: Request<{ id: string }>, nodeIdDomain: string): number {
  const id = parseRecordId(nodeIdDomain, 'Webhook', req.params.id);
  if (id === undefined) throw notFound();
  return id;
}

import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { RequestHandler } from 'express';
import { isAdministrator } from '../directory/person';
import { requireSignIn, signedInOf } from '../sessions/visitor';

const checkAdministrator: RequestHandler = (req, _res, next) => {
  const { person } = signedInOf(req);
  if (!isAdministrator(person, person.accountId)) {
    throw forbidden('These pages are for administrators of the account.');
  }
  next();
};

/** Lets administrators of their own account through; others sign in first and come back to `page`. */
export const requireAdministrator = (page: string): RequestHandler[] => [requireSignIn(page), checkAdministrator];

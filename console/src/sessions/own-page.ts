import type { Request, RequestHandler } from 'express';
import { isAccountId } from '@itsm/shared/api/identity/account-id';
import { forbidden } from '@itsm/shared/base/errors/app-error';

/** Names the account that a page shows, or is `-` while it shows none. No form and no link of another site can send it. */
export const consoleHeader = 'x-console';

/**
 * Lets only calls of the console's own pages pass: they send a header that other origins would have to be allowed to send
 * (Fetch, "CORS-preflight"), and no browser says that they come from elsewhere (Fetch Metadata, `Sec-Fetch-Site`).
 */
export const requireOwnPage: RequestHandler = (req, _res, next) => {
  const value = req.get(consoleHeader);
  const site = req.get('sec-fetch-site');
  const isOwn = (value === '-' || isAccountId(value ?? '')) && (site === undefined || site === 'same-origin');
  if (!isOwn) throw forbidden();
  next();
};

/** The account that the page shows; undefined while it shows none. */
export function accountShown(req: Request): string | undefined {
  const value = req.get(consoleHeader);
  return value !== undefined && isAccountId(value) ? value : undefined;
}

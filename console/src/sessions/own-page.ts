import type { Request, RequestHandler } from 'express';
import { isAccountId } from '@itsm/shared/api/identity/account-id';
import { forbidden } from '@itsm/shared/base/errors/app-error';

/**
 * Contains the account that a page shows, or `-` for none. Forms and links of other sites cannot send it (CSRF
 * protection).
 */
export const consoleHeader = 'x-console';

/**
 * Admits only calls of the console's own pages. They send a custom header, for which other origins would need
 * permission (Fetch, "CORS-preflight"), and the browser must not report another site (Fetch Metadata,
 * `Sec-Fetch-Site`).
 */
export const requireOwnPage: RequestHandler = (req, _res, next) => {
  const value = req.get(consoleHeader);
  const site = req.get('sec-fetch-site');
  const isOwn = (value === '-' || isAccountId(value ?? '')) && (site === undefined || site === 'same-origin');
  if (!isOwn) throw forbidden();
  next();
};

/** The account that the page shows; undefined for none. */
export function accountShown(req: Request): string | undefined {
  const value = req.get(consoleHeader);
  return value !== undefined && isAccountId(value) ? value : undefined;
}

import type { RequestHandler } from 'express';
import { AppError } from '../../base/errors/app-error';

/** The last handler of a route: `router.route('/').get(…).all(methodNotAllowed('GET'))`. */
export const methodNotAllowed =
  (...allowed: readonly string[]): RequestHandler =>
  () => {
    throw new AppError('method_not_allowed', 'Method Not Allowed', { headers: { Allow: allowed.join(', ') } });
  };

import { lazyRouteComponent as lazy } from '@tanstack/react-router';
import { ApiError } from '../api/errors';

/**
 * Like the router's, which reloads the page once when a part of it is missing. Without a network that would throw away what
 * is shown, and a missing style sheet is a missing part too.
 */
export const lazyRouteComponent: typeof lazy = (importer, ...name) => lazy(() => importer().catch(refuse), ...name);

function refuse(error: unknown): never {
  if (!navigator.onLine)
    throw new ApiError({
      kind: 'broken',
      message: 'You are offline. Go back, or try again when there is a network.',
      requestId: undefined,
    });
  // The page says already that it could not be loaded, in front of what began all the same.
  if (document.getElementById('root')?.hidden === true)
    throw new ApiError({ kind: 'broken', message: 'A part of this page is missing.', requestId: undefined });
  if (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
    throw new TypeError(`Failed to fetch dynamically imported module: ${error.message}`, { cause: error });
  throw error;
}

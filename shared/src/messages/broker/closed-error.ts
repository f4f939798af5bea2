import { AppError } from '../../base/errors/app-error';

/** An outage to whoever meets it: a message whose handler comes too late to publish is handled again, not given up. */
export const closedError = (): AppError => new AppError('service_unavailable', 'The broker is closed');

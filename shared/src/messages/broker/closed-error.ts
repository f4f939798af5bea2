import { AppError } from '../../base/errors/app-error';

/** Counts as an outage: a message whose handler comes too late to publish is handled again, not given up. */
export const closedError = (): AppError => new AppError('service_unavailable', 'The broker is closed');

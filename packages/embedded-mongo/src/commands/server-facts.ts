import { CommandError } from '../errors/command-error';
import { maxDocumentBytes } from '../documents/check-document';
import type { CommandHandler } from './command';

export const ping: CommandHandler = { writes: false, run: () => ({ ok: 1 }) };

/** Sessions have no state on this server, so there is nothing to end. */
export const endSessions: CommandHandler = { writes: false, run: () => ({ ok: 1 }) };

export const buildInfo: CommandHandler = {
  writes: false,
  run: () => ({
    version: '7.0.0',
    versionArray: [7, 0, 0, 0],
    gitVersion: 'embedded',
    modules: [],
    storageEngines: ['embedded'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    ok: 1,
  }),
};

const parameters: Readonly<Record<string, unknown>> = { featureCompatibilityVersion: { version: '7.0' } };

export const getParameter: CommandHandler = {
  writes: false,
  run(_context, { body }) {
    const wanted =
      body['getParameter'] === '*' ? Object.keys(parameters) : Object.keys(body).filter((name) => name in parameters);
    if (wanted.length === 0) throw new CommandError('InvalidOptions', 'no option found to get');
    return { ...Object.fromEntries(wanted.map((name) => [name, parameters[name]])), ok: 1 };
  },
};

export const connectionStatus: CommandHandler = {
  writes: false,
  run: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 }),
};

import { aggregate } from './aggregate';
import { create, drop, listCollections } from './collection-commands';
import type { CommandHandler } from './command';
import { count } from './count';
import { createIndexes } from './create-indexes';
import { getMore, killCursors } from './cursor-commands';
import { collStats, dbStats, dropDatabase, listDatabases } from './database-commands';
import { deleteCommand } from './delete';
import { distinct } from './distinct';
import { explain } from './explain';
import { find } from './find';
import { findAndModify } from './find-and-modify';
import { hello } from './hello';
import { dropIndexes, listIndexes } from './index-commands';
import { insert } from './insert';
import { buildInfo, connectionStatus, endSessions, getParameter, ping } from './server-facts';
import { update } from './update';

/** All commands of this server, by the name that clients send. */
export const commands: ReadonlyMap<string, CommandHandler> = new Map(
  Object.entries({
    hello,
    isMaster: hello,
    ismaster: hello,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    connectionStatus,
    getParameter,
    endSessions,
    find,
    getMore,
    killCursors,
    count,
    distinct,
    aggregate,
    explain,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    findandmodify: findAndModify,
    create,
    drop,
    listCollections,
    createIndexes,
    dropIndexes,
    listIndexes,
    listDatabases,
    dropDatabase,
    collStats,
    dbStats,
  }),
);

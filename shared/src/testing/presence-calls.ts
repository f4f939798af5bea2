import type { Connection } from 'mongoose';
import { createPresenceRepository, forgettable } from '../stores/presence/presence.repository';
import { exercise } from './store-commands';
import type { Exercise } from './store-commands';

/** Sample calls of the presence repository, which every service with an outbox has. */
export const exerciseOfPresence = (connection: Connection): Exercise =>
  exercise(
    'createPresenceRepository',
    createPresenceRepository(connection),
    {
      enter: (all) => all.enter({ id: 'new', beat: 1 }),
      beat: (all) => all.beat({ id: 'process 57', beat: 2 }),
      list: (all) => all.list(),
      giveUp: (all) => all.giveUp({ id: 'process 58', beat: 1 }),
    },
    { forgettable },
  );

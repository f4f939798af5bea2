import type { Connection } from 'mongoose';
import { connectMongo } from '../stores/mongo/connect-mongo';
import type { ConnectOptions } from '../stores/mongo/connect-mongo';

const long = 240_000;

/** Like `connectMongo`, with limits of time that a busy machine does not reach. */
export const connectPatiently = (url: string, options: ConnectOptions = {}): Promise<Connection> =>
  connectMongo(url, {
    ...options,
    limits: { electionMilliseconds: long, connectMilliseconds: long, socketMilliseconds: long },
  });

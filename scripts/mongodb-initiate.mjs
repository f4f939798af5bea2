// node scripts/mongodb-initiate.mjs HOST:PORT...: initiates a replica set of these running nodes.
import { initiateReplicaSet } from './mongodb-settings.mjs';

await initiateReplicaSet(process.argv.slice(2));

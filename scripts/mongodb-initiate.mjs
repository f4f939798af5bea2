// node scripts/mongodb-initiate.mjs HOST:PORT...: makes the nodes that run there one replica set.
import { initiateReplicaSet } from './mongodb-settings.mjs';

await initiateReplicaSet(process.argv.slice(2));

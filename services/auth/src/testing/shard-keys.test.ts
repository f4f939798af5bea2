import { proveShards } from '@itsm/shared/testing/prove-store';
import { repositories } from './repository-calls';
import { sharding } from './shard-keys';

proveShards('auth', repositories, sharding);

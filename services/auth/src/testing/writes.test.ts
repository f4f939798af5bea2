import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from './repository-calls';

proveWrites(repositories);

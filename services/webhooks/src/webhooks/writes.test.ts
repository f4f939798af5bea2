import { proveWrites } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveWrites(repositories);

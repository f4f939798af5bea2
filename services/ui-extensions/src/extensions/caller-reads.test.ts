import { proveReads } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

proveReads(repositories, {});

import { provePlans } from '@itsm/shared/testing/prove-store';
import { repositories } from './repository-calls';

provePlans(repositories);

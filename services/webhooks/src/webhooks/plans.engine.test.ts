import { provePlans } from '@itsm/shared/testing/prove-store';
import { repositories } from '../testing/repository-calls';

provePlans(repositories);

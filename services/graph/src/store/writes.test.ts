import { proveWrites } from '@itsm/shared/testing/prove-store';
import { noticeDays } from '../notices/notice.repository';
import { repositories } from '../testing/repository-calls';

proveWrites(repositories, {
  idempotent_calls: ['expiresAt', 0],
  import_chunks: ['expiresAt', 0],
  import_failures: ['expiresAt', 0],
  imports: ['expiresAt', 0],
  notice_mails: ['armedAt', noticeDays * 24 * 60 * 60],
  notices: ['at', noticeDays * 24 * 60 * 60],
  visits: ['at', 300],
});

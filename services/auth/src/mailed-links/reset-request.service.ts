import { isAddress } from '@itsm/shared/outbound/mail/address';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { emailKeyOf } from '../directory/person';
import type { MailQueue } from '../mails/mail-queue';
import type { Attempts } from '../security/attempts';
import { noAccount } from '../security/audit-entry';

interface Dependencies {
  readonly queue: MailQueue;
  readonly attempts: Attempts;
  readonly logger: Logger;
}

/**
 * Requests a link to reset a password. Whether a person has the address is looked up later, when the mail is sent, so neither
 * the answer nor its time depends on it. Returns the seconds to wait after too many requests from one network, otherwise 0.
 */
export type RequestReset = (address: string, ip: string) => Promise<number>;

export function createRequestReset({ queue, attempts, logger }: Dependencies): RequestReset {
  return async (address, ip) => {
    const seconds = await attempts.countOrWait(`mails ${networkOf(ip)}`, 'mails');
    if (seconds > 0) return seconds;
    if (!isAddress(address)) return 0;
    const wait = await attempts.countOrWait(`mail asked ${emailKeyOf(address)}`, 'mail');
    if (wait > 0) logger.info('mails to one address throttled', { ip, seconds: wait });
    else await queue.order({ kind: 'reset-request', accountId: noAccount, personId: 0, version: 0, address });
    return 0;
  };
}

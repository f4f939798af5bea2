import { AppError } from '@itsm/shared/base/errors/app-error';
import { isAddress } from '@itsm/shared/outbound/mail/address';
import { networkOf } from '@itsm/shared/base/ids/network';
import { emailKeyOf } from '../directory/person';
import type { MailQueue } from '../mails/mail-queue';
import type { Attempts } from '../security/attempts';
import { noAccount } from '../security/audit-entry';

interface Dependencies {
  readonly queue: MailQueue;
  readonly attempts: Attempts;
}

/**
 * Requests a link to reset a password. Whether a person has the address is looked up later, when the mail is sent, so neither
 * the answer nor its time depends on it. Returns the seconds to wait after too many requests from one network, otherwise 0. A 503 while too many requests wait.
 */
export type RequestReset = (address: string, ip: string) => Promise<number>;

export function createRequestReset({ queue, attempts }: Dependencies): RequestReset {
  return async (address, ip) => {
    const seconds = await attempts.countOrWait(`mails ${networkOf(ip)}`, 'mails');
    if (seconds > 0) return seconds;
    if (!isAddress(address)) return 0;
    // Requests for one address are not counted here, since counting would keep addresses of nobody. Those of a person are.
    const order = { kind: 'reset-request', accountId: noAccount, personId: 0, version: 0 } as const;
    if (!(await queue.orderResetRequest({ ...order, address: emailKeyOf(address) }))) throw full();
    return 0;
  };
}

/** The same for every address. */
const full = (): Error =>
  new AppError('service_unavailable', 'Too many links are waiting to be sent. Please try again in a few minutes.', {
    headers: { 'Retry-After': '60' },
  });

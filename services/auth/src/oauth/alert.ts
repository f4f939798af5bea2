import type { Mail } from '@itsm/shared/outbound/mail/mail';
import { nameInMail } from '@itsm/shared/outbound/mail/name-in-mail';
import type { GrantReference } from '../tokens/token-family';

/** A replay: a one-time secret was used again, so it, or the tokens issued for it, may be stolen. */
export interface Alert {
  /** One per token family, so that repeated replays cause no second mail. */
  readonly id: string;
  readonly event: 'code.replayed' | 'refresh.reused';
  readonly accountId: string;
  readonly personId: number;
  /** The application's account, whose administrators are notified too. */
  readonly applicationAccountId: string;
  readonly applicationName: string;
  readonly at: Date;
}

interface Circumstances {
  readonly grant: GrantReference;
  readonly applicationName: string;
  readonly at: Date;
}

export function alertOf(event: Alert['event'], { grant, applicationName, at }: Circumstances): Alert {
  const { accountId, personId, applicationAccountId, familyId } = grant;
  return { id: `${event} ${familyId}`, event, accountId, personId, applicationAccountId, applicationName, at };
}

const happened: Record<Alert['event'], string> = {
  'code.replayed': 'An authorization code was used a second time',
  'refresh.reused': 'A refresh token was used again after it had been replaced',
};

/** The mail to the person and to the administrators of the application. `profileUrl`: the page where access is seen and revoked. */
export function toMail(alert: Alert, to: readonly string[], profileUrl: string): Mail {
  const { id, event, accountId, at } = alert;
  const applicationName = nameInMail(alert.applicationName);
  return {
    id: id.replaceAll(/[^\w.-]/g, '-'),
    to,
    subject: `Access of ${applicationName} was revoked`,
    text: [
      `${happened[event]} by the application ${applicationName} in the account ${accountId}, at ${at.toISOString()}.`,
      '',
      'This happens when somebody else has got hold of it, or when the application repeats itself by mistake. To be on the',
      'safe side, everything that the application got with this authorization was revoked; it has to ask again.',
      '',
      `If you do not know why this happened, look at what has access: ${profileUrl}`,
      '',
    ].join('\n'),
  };
}

import { z } from 'zod';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Addresses } from '../webhooks/addresses';
import type { Person } from '@itsm/shared/contracts/records';

interface Dependencies {
  readonly sealer: Sealer;
  readonly addresses: Addresses;
  readonly now: Clock;
}

/** Makes and opens the token in the URL of a webhook's page, which names the viewer. */
export interface PageLinks {
  create(accountId: string, webhookId: number, person: Person): { readonly url: string; readonly expiresAt: Date };
  /** The viewer; undefined when the token is for another webhook, or older than an hour. */
  open(accountId: string, webhookId: number, token: string): Person | undefined;
}

const lifetimeMilliseconds = 60 * 60 * 1_000;
const longestToken = 2_000;
const content = z.object({
  expiresAt: z.int(),
  person: z.object({ id: z.int(), nodeID: z.string(), name: z.string() }),
});

/** Links to the page of a webhook, for administrators. A link is a bearer credential for the page's actions, valid for an hour. */
export function createPageLinks({ sealer, addresses, now }: Dependencies): PageLinks {
  const contextOf = (accountId: string, webhookId: number) => `webhook page:${accountId}/${webhookId}`;
  return {
    create(accountId, webhookId, person) {
      const expiresAt = new Date(now().getTime() + lifetimeMilliseconds);
      const text = JSON.stringify({ expiresAt: expiresAt.getTime(), person });
      const token = sealer.seal(text, contextOf(accountId, webhookId));
      return { url: `${addresses.pageUrl(accountId, webhookId)}?token=${token}`, expiresAt };
    },
    open(accountId, webhookId, token) {
      if (token.length > longestToken) return undefined;
      try {
        const { expiresAt, person } = content.parse(JSON.parse(sealer.open(token, contextOf(accountId, webhookId))));
        return now().getTime() < expiresAt ? person : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

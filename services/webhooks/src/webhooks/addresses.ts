import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Links } from '@itsm/shared/contracts/records';

/** Builds public URLs and node ids from the settings. */
export interface Addresses {
  readonly accountUrl: (accountId: string) => string;
  readonly webhookUrl: (webhookId: number) => string;
  /** The origin of the console and the sign-in server, which the pages link to. */
  readonly origin: string;
  /** The URL of a webhook's page. */
  readonly pageUrl: (accountId: string, webhookId: number) => string;
  readonly callbackUrl: (accountId: string, webhookId: number, code: string, expiresAt: Date) => string;
  readonly nodeIdOf: (type: string, id: number | string) => string;
  /** The `Link` header of a delivery. */
  readonly linkHeader: (accountId: string, links: Links) => string;
}

interface Settings {
  readonly baseUrl: string;
  readonly accountUrl: string;
  readonly nodeIdDomain: string;
}

export function createAddresses({ baseUrl, accountUrl, nodeIdDomain }: Settings): Addresses {
  const urlOf = (accountId: string) => accountUrl.replaceAll('{account}', accountId);
  return {
    accountUrl: urlOf,
    origin: baseUrl,
    webhookUrl: (webhookId) => `${baseUrl}/v1/webhooks/${webhookId}`,
    pageUrl: (accountId, webhookId) => `${urlOf(accountId)}/webhooks/${webhookId}/page`,
    callbackUrl(accountId, webhookId, code, expiresAt) {
      const query = new URLSearchParams({ code, expires_at: String(Math.floor(expiresAt.getTime() / 1_000)) });
      return `${urlOf(accountId)}/webhooks/${webhookId}/verify?${query.toString()}`;
    },
    nodeIdOf: (type, id) => toNodeId(nodeIdDomain, type, id),
    linkHeader: (accountId, { canonical, resource, related }) =>
      [
        `<${urlOf(accountId)}${canonical}>; rel="canonical"`,
        `<${baseUrl}${resource}>; rel="resource"`,
        ...(related === undefined ? [] : [`<${baseUrl}${related}>; rel="related"`]),
      ].join(', '),
  };
}

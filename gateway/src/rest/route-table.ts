import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { uploadPaths } from '@itsm/shared/contracts/uploads';
import type { ServiceName } from '../transport/upstreams';

/**
 * A destination of the proxy: a service, which gets a token for the caller, or the console's server, which calls the
 * gateway itself.
 */
export type Destination = ServiceName | 'console';

/** A route. `access: 'public'` needs no bearer token; `rewrite` is prepended to the path. */
export interface Route {
  /** A prefix of whole segments; `:account` matches any one segment. */
  readonly path: string;
  readonly service: Destination;
  readonly access: 'public' | 'caller';
  /** Whether cookies are passed on; false by default. */
  readonly cookies?: boolean;
  readonly rewrite?: string;
  /** In bytes; 1 MB by default. */
  readonly bodyLimit?: number;
  /** Bodies are streamed at once, over separate connections, as they may take minutes. */
  readonly isUpload?: boolean;
  /**
   * The service that owns the resource. It is asked first, with the same path, and answers 204 if the resource exists.
   */
  readonly ownedBy?: ServiceName;
  /**
   * Whether answers to reads may be compressed; false by default. Only for records of an account that hold no secret,
   * since the length of a compressed answer tells something about its text.
   */
  readonly isCompressed?: boolean;
}

const megabyte = 1024 * 1024;
export const usualBodyLimit = megabyte;
/**
 * Bytes of a body that are buffered; longer bodies are streamed. Anybody may send to public paths, so their limit is 64
 * KB, which forms and token requests do not exceed.
 */
export const holdLimitOf = ({ access }: Route): number => (access === 'public' ? 64 * 1024 : megabyte);
/** Four texts of 64 KB; JSON may escape each byte as six. */
const extensionLimit = 2 * megabyte;
/** Files of imports and of notes; the service has limits of its own. */
const uploadLimit = 512 * megabyte;
const uploadRoutes = uploadPaths.map((path) => ({ path, bodyLimit: uploadLimit, isUpload: true }));

/** Only on the host of BASE_URL, and only with a console. The rest of `/accounts` are pages, which need no cookie. */
const consoleRoutes: readonly Route[] = [
  { path: '/', service: 'console', access: 'public', cookies: true },
  { path: '/accounts', service: 'console', access: 'public' },
  ...[
    ...uploadRoutes.map((route) => ({ ...route, path: `/console${route.path}` })),
    { path: '/console/v1/ui_extensions', bodyLimit: extensionLimit },
    { path: '/console' },
  ].map((route): Route => ({ ...route, service: 'console', access: 'public', cookies: true })),
];

/** Everything that is reachable behind the gateway; any other path is 404. */
export const routesOf = (kinds: RecordKinds = recordKinds): readonly Route[] => [
  // auth has a much smaller limit and answers in its own form (RFC 6749 §5.2, or a page).
  { path: '/oauth', service: 'auth', access: 'public', cookies: true, bodyLimit: 16 * megabyte },
  { path: '/.well-known/oauth-authorization-server', service: 'auth', access: 'public' },
  ...['webhooks/:webhook/verify', 'webhooks/:webhook/page', 'webhooks/:webhook/resend', 'webhook_policies'].map(
    (path): Route => ({ path: `/accounts/:account/${path}`, service: 'webhooks', access: 'public' }),
  ),
  {
    path: '/v1/webhooks/:webhook/deliveries',
    service: 'webhook-delivery',
    access: 'caller',
    ownedBy: 'webhooks',
    isCompressed: true,
  },
  // The address of a webhook may have a secret in its query.
  { path: '/v1/webhooks', service: 'webhooks', access: 'caller' },
  { path: '/v1/webhook_events', service: 'webhooks', access: 'caller', isCompressed: true },
  { path: '/v1/webhook_policies', service: 'webhooks', access: 'caller' },
  { path: '/v1/webhook_deliveries', service: 'webhook-delivery', access: 'caller', isCompressed: true },
  ...[{ path: '/v1/ui_extensions' }, { path: '/ui_extensions', rewrite: '/v1' }].map((route): Route => ({
    ...route,
    service: 'ui-extensions',
    access: 'caller',
    bodyLimit: extensionLimit,
    isCompressed: true,
  })),
  { path: '/ui_extension_previews', service: 'ui-extensions', access: 'public' },
  ...uploadRoutes.map((route): Route => ({ ...route, service: 'graph', access: 'caller' })),
  // An archive is compressed already.
  { path: '/v1/export', service: 'graph', access: 'caller' },
  // Each address is signed.
  { path: '/attachments', service: 'graph', access: 'public' },
  ...['notes', 'archive', 'trash', 'notices', 'saved_lists', 'text_templates'].map((name): Route => ({
    path: `/v1/${name}`,
    service: 'graph',
    access: 'caller',
    isCompressed: true,
  })),
  ...Object.values(kinds).map(({ plural, service }): Route => ({
    path: `/v1/${plural}`,
    service,
    access: 'caller',
    isCompressed: true,
  })),
  ...['me', 'account', 'accounts', 'oauth_applications', 'sso_configurations'].map((name): Route => ({
    path: `/v1/${name}`,
    service: 'auth',
    access: 'caller',
    isCompressed: true,
  })),
  ...consoleRoutes,
];

export const routeTable = routesOf();

const prepared = routeTable.map((route) => ({ route, segments: route.path.split('/') }));

/** The route of a request target such as `/v1/webhooks/1?fields=id`. */
export function findRoute(target: string): Route | undefined {
  const given = (target.split('?', 1)[0] ?? '').split('/');
  return prepared.find(({ segments }) =>
    segments.every((segment, index) => {
      const part = given[index];
      return segment.startsWith(':') ? part !== undefined && part !== '' : segment === part;
    }),
  )?.route;
}

import { Outlet, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliverySearch } from './deliveries/search';
import { Suspense, useEffect } from 'react';
import { lazyRouteComponent } from './frame/lazy-screen';
import { AccountFailure, NoSuchPage, Starting } from './frame/notices';
import { ScreenFailure } from './frame/screen-failure';
import { Frame } from './frame/frame';

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage });

const account = createRoute({
  getParentRoute: () => root,
  path: '/accounts/$account',
  component: AccountRoute,
  errorComponent: AccountFailure,
});

function AccountRoute(): ReactNode {
  const { account: id } = account.useParams();
  return (
    <Suspense fallback={<Starting />}>
      <Frame key={id} account={id}>
        <Outlet />
      </Frame>
    </Suspense>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** Keeps the named search parameters that are texts; drops others. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { [key in Name]?: string } => {
    const found: Record<string, string> = {};
    for (const name of names) {
      const value = typeof search[name] === 'number' ? String(search[name]) : text(search[name]);
      if (value !== undefined) found[name] = value;
    }
    return found as { [key in Name]?: string };
  };

/** What is at each address below an account. `console/src/screens.test.ts` says where else a screen is named. */
const screens = [
  createRoute({
    getParentRoute: () => account,
    path: '/',
    component: lazyRouteComponent(() => import('./home/home'), 'Home'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/notices',
    validateSearch: texts('before'),
    component: lazyRouteComponent(() => import('./notices/notice-list'), 'NoticeList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/notices/preferences',
    component: lazyRouteComponent(() => import('./notices/notice-preferences'), 'NoticePreferences'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks',
    validateSearch: texts('state', 'event', 'q', 'policy'),
    component: lazyRouteComponent(() => import('./webhooks/webhook-list'), 'WebhookList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/new',
    validateSearch: texts('event', 'uri'),
    component: lazyRouteComponent(() => import('./webhooks/webhook-form'), 'NewWebhook'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/$webhook',
    validateSearch: texts('state', 'since'),
    component: lazyRouteComponent(() => import('./webhooks/webhook-page'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/$webhook/edit',
    component: lazyRouteComponent(() => import('./webhooks/webhook-form'), 'EditWebhook'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/$webhook/why',
    validateSearch: texts('object', 'event'),
    component: lazyRouteComponent(() => import('./webhooks/why-page'), 'WhyPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/why',
    validateSearch: texts('object'),
    component: lazyRouteComponent(() => import('./webhooks/why-everywhere'), 'WhyEverywhere'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/$webhook/recover',
    validateSearch: texts('from', 'until'),
    component: lazyRouteComponent(() => import('./webhooks/recover-page'), 'RecoverPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/deliveries',
    validateSearch: texts(...deliverySearch),
    component: lazyRouteComponent(() => import('./deliveries/delivery-list'), 'DeliveryList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./deliveries/delivery-page'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/signing',
    component: lazyRouteComponent(() => import('./signing/policy-list'), 'PolicyList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/signing/new',
    component: lazyRouteComponent(() => import('./signing/policy-form'), 'NewPolicy'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/signing/$policy',
    component: lazyRouteComponent(() => import('./signing/policy-page'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/explorer',
    component: lazyRouteComponent(() => import('./explorer/explorer'), 'Explorer'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/applications',
    validateSearch: texts('q'),
    component: lazyRouteComponent(() => import('./applications/application-list'), 'ApplicationList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/applications/new',
    component: lazyRouteComponent(() => import('./applications/application-wizard'), 'ApplicationWizard'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/applications/$application',
    component: lazyRouteComponent(() => import('./applications/application-page'), 'ApplicationPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/applications/$application/edit',
    component: lazyRouteComponent(() => import('./applications/application-edit'), 'ApplicationEdit'),
  }),
  // The page of a record at its canonical address.
  createRoute({
    getParentRoute: () => account,
    path: '/$kind/$record',
    component: lazyRouteComponent(() => import('./records/record-page'), 'RecordPage'),
  }),
  // The list of a kind; its description says which parameters there are.
  createRoute({
    getParentRoute: () => account,
    path: '/$kind',
    validateSearch: (search: Record<string, unknown>) =>
      texts(...Object.keys(search))(search) as Readonly<Record<string, string>>,
    component: lazyRouteComponent(() => import('./records/record-list'), 'RecordList'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/$kind/new',
    component: lazyRouteComponent(() => import('./records/new-record'), 'NewRecord'),
  }),
] as const;

const nothing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: ToOwnAccount,
});

/** Redirects to the person's own account, which only the server knows. */
function ToOwnAccount(): ReactNode {
  useEffect(() => location.replace('/console/sign-in?next=%2F'), []);
  return null;
}

export const router = createRouter({
  routeTree: root.addChildren([nothing, account.addChildren([...screens])]),
  defaultPreload: false,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: true,
  // Numbers stay texts in addresses: they may be ids, or typed words.
  stringifySearch: (search) => {
    const query = new URLSearchParams(
      Object.entries(search as Record<string, string | undefined>).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ).toString();
    return query === '' ? '' : `?${query}`;
  },
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

import type { Router } from 'express';
import type { Assets } from '../assets/module';
import type { Sessions } from '../sessions/module';
import type { Upstream } from '../upstream/module';
import { createProxyRoutes } from './proxy.routes';

interface Needs {
  readonly assets: Pick<Assets, 'build'>;
  readonly upstream: Upstream;
  readonly sessions: Pick<Sessions, 'cookie' | 'calls'>;
}

export interface Proxy {
  readonly router: Router;
}

export const createProxy = ({ assets, upstream, sessions }: Needs): Proxy => ({
  router: createProxyRoutes({ build: assets.build, upstream, cookie: sessions.cookie, calls: sessions.calls }),
});

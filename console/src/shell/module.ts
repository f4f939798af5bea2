import { Router } from 'express';
import { randomBytes } from 'node:crypto';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import type { Assets } from '../assets/module';
import { shellPage } from './shell.page';

interface Needs {
  readonly assets: Pick<Assets, 'build' | 'entry'>;
  /** The public origin. */
  readonly baseUrl: string;
}

export interface Shell {
  readonly router: Router;
}

/** The HTML page of every address of the console: it contains no data, and needs no cookie. */
export function createShell({ assets: { build, entry }, baseUrl }: Needs): Shell {
  const router = Router();
  router
    .route('/accounts{/*path}')
    .get((_req, res) => {
      if (!entry) throw new AppError('service_unavailable', 'The browser part of the console has not been built');
      const nonce = randomBytes(16).toString('base64');
      res.set(headersWith(nonce)).type('html').send(shellPage({ build, entry, baseUrl, nonce }));
    })
    .all(methodNotAllowed('GET'));
  return { router };
}

/** Browser features that the page does not need (Permissions-Policy). */
const switchedOff = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
  'clipboard-read',
];
const permissions = [...switchedOff.map((feature) => `${feature}=()`), 'clipboard-write=(self)'].join(', ');

/** Only scripts with the nonce, and their imports, may run; none may write HTML from strings (Trusted Types). */
const headersWith = (nonce: string): Readonly<Record<string, string>> => ({
  ...pageHeaders({
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'frame-src': "'self'",
    'form-action': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': permissions,
});

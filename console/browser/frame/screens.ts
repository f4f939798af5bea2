import { Compass, House, KeyRound, ListChecks, PenTool, Webhook } from 'lucide-react';
import type { ComponentType } from 'react';

/** A screen in the navigation and the jump dialog. `path` is relative to `/accounts/<account>`. */
export interface Screen {
  readonly label: string;
  readonly path: string;
  readonly icon: ComponentType<{
    readonly size?: number;
    readonly strokeWidth?: number;
    readonly 'aria-hidden'?: boolean;
  }>;
  /** The key after `g`. */
  readonly key: string;
  readonly group: 'top' | 'Build';
  /** For account administrators only; the screen itself explains that to others. */
  readonly isForAdministrators: boolean;
}

export const screens: readonly Screen[] = [
  { label: 'Home', path: '', icon: House, key: 'h', group: 'top', isForAdministrators: false },
  { label: 'Webhooks', path: '/webhooks', icon: Webhook, key: 'w', group: 'Build', isForAdministrators: true },
  { label: 'Deliveries', path: '/deliveries', icon: ListChecks, key: 'd', group: 'Build', isForAdministrators: true },
  { label: 'Signing', path: '/signing', icon: PenTool, key: 's', group: 'Build', isForAdministrators: true },
  { label: 'Explorer', path: '/explorer', icon: Compass, key: 'e', group: 'Build', isForAdministrators: false },
  { label: 'Applications', path: '/applications', icon: KeyRound, key: 'a', group: 'Build', isForAdministrators: true },
];

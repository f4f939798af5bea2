import {
  Bell,
  BookOpen,
  CircleDot,
  Compass,
  FileCheck,
  FolderKanban,
  House,
  IdCard,
  KeyRound,
  ListChecks,
  ListTodo,
  PenTool,
  SquareCheck,
  TriangleAlert,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind } from '@itsm/shared/contracts/record-kinds';
import { isAdministrator, isStaff } from '../api/roles';
import type { Session } from '../api/session';

type Icon = ComponentType<{
  readonly size?: number;
  readonly strokeWidth?: number;
  readonly 'aria-hidden'?: boolean;
}>;

/** A screen in the navigation and the jump dialog. `path` is relative to `/accounts/<account>`. */
export interface Screen {
  readonly label: string;
  readonly path: string;
  readonly icon: Icon;
  /** The key after `g`. */
  readonly key: string;
  readonly group: 'top' | 'Records' | 'Build';
  /** Those who find something there; the screen itself explains that to others. */
  readonly for: 'everybody' | 'staff' | 'administrators';
}

const icons: Readonly<Record<string, Icon>> = {
  request: CircleDot,
  problem: TriangleAlert,
  task: SquareCheck,
  workflow: Workflow,
  project: FolderKanban,
  project_task: ListTodo,
  sla: FileCheck,
  team: Users,
  person: IdCard,
};

const others: readonly Screen[] = [
  { label: 'Home', path: '', icon: House, key: 'h', group: 'top', for: 'everybody' },
  { label: 'Notices', path: '/notices', icon: Bell, key: 'n', group: 'top', for: 'everybody' },
  { label: 'Webhooks', path: '/webhooks', icon: Webhook, key: 'w', group: 'Build', for: 'administrators' },
  { label: 'Deliveries', path: '/deliveries', icon: ListChecks, key: 'd', group: 'Build', for: 'administrators' },
  { label: 'Signing', path: '/signing', icon: PenTool, key: 's', group: 'Build', for: 'administrators' },
  { label: 'Explorer', path: '/explorer', icon: Compass, key: 'e', group: 'Build', for: 'staff' },
  { label: 'Applications', path: '/applications', icon: KeyRound, key: 'a', group: 'Build', for: 'administrators' },
];

/** All screens, with a list for each kind of record, whose key is the first letter of its name that is free. */
export const screens: readonly Screen[] = Object.entries<RecordKind>(recordKinds).reduce<readonly Screen[]>(
  (known, [name, { label, plural }]) => {
    const key = [...label.toLowerCase()].find(
      (letter) => /[a-z]/.test(letter) && !known.some((one) => one.key === letter),
    );
    return [
      ...known,
      {
        label,
        path: `/${plural}`,
        icon: icons[name] ?? BookOpen,
        key: key ?? '',
        group: 'Records',
        // End users have requests of their own; what else they see is behind these.
        for: name === 'request' ? 'everybody' : 'staff',
      },
    ];
  },
  others,
);

/** The screens that somebody finds something on. */
export const screensOf = (session: Session): readonly Screen[] =>
  screens
    .filter((screen) => screen.for === 'everybody' || (screen.for === 'staff' ? isStaff : isAdministrator)(session))
    .map((screen) => ({ ...screen, label: titleOf(screen, session) }));

const titleOf = ({ label, path, group }: Screen, session: Session): string =>
  group === 'Records' && path === '/requests' && !isStaff(session) ? `My ${label.toLowerCase()}` : label;

/** The title of the list of a kind. */
export const titleOfList = (plural: string, session: Session): string => {
  const screen = screens.find(({ path }) => path === `/${plural}`);
  return screen ? titleOf(screen, session) : plural;
};

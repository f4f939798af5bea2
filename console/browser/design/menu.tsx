import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import './field.css';
import { Labelled } from './labelled';

/** A menu item; with `href` it is a link. */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  /** Its keyboard shortcut. */
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly href?: string;
  readonly onAction?: () => void;
}

/** A menu below its button, which shows `children`, or three dots. */
export function ActionMenu({
  label,
  actions,
  children,
  className,
}: {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly children?: ReactNode;
  readonly className?: string;
}): ReactNode {
  return (
    <Aria.MenuTrigger>
      <Aria.Button className={className ?? (children === undefined ? 'button-icon' : 'button')} aria-label={label}>
        {children ?? <Ellipsis aria-hidden size={20} strokeWidth={1.75} />}
      </Aria.Button>
      <Aria.Popover className="popover" placement="bottom end">
        <Aria.Menu className="options">
          {actions.map(({ id, label: text, note, keys, isDanger, isDisabled, href, onAction }) => (
            <Aria.MenuItem
              key={id}
              id={id}
              className={isDanger === true ? 'option option-danger' : 'option'}
              textValue={text}
              isDisabled={isDisabled ?? false}
              href={href}
              onAction={onAction}
            >
              <Labelled label={text} note={note} />
              {keys !== undefined && <kbd aria-hidden data-keys={keys} />}
            </Aria.MenuItem>
          ))}
        </Aria.Menu>
      </Aria.Popover>
    </Aria.MenuTrigger>
  );
}

import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';

/** A button, which shows `face`, and below it what it opens; `Esc` closes it and gives the focus back. */
export function PopoverButton({
  label,
  face,
  children,
}: {
  /** The accessible name of the button and of what it opens. */
  readonly label: string;
  readonly face: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Aria.DialogTrigger>
      <Aria.Button className="button" aria-label={label}>
        {face}
      </Aria.Button>
      <Aria.Popover className="popover" placement="bottom end">
        <Aria.Dialog className="popover-content" aria-label={label}>
          {children}
        </Aria.Dialog>
      </Aria.Popover>
    </Aria.DialogTrigger>
  );
}

import './button.css';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components';

type Kind = 'normal' | 'primary' | 'danger' | 'plain';

/** The classes of a button, for links that look like one. */
export const buttonClass = (kind: Kind = 'normal'): string => (kind === 'normal' ? 'button' : `button button-${kind}`);

/** While `isPending` it keeps the focus and ignores presses; `children` begin with a verb. */
export function Button({
  kind = 'normal',
  isPending = false,
  isDisabled = false,
  type = 'button',
  onPress,
  children,
  autoFocus,
  form,
  ref,
}: {
  readonly kind?: Kind;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly onPress?: () => void;
  readonly children: ReactNode;
  readonly autoFocus?: boolean;
  readonly form?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}): ReactNode {
  return (
    <AriaButton
      className={buttonClass(kind)}
      type={type}
      isPending={isPending}
      isDisabled={isDisabled}
      onPress={onPress}
      autoFocus={autoFocus}
      form={form}
      ref={ref}
    >
      {children}
      {isPending && <span className="visually-hidden"> (in progress)</span>}
    </AriaButton>
  );
}

/** An icon without text: `label` is its accessible name and tooltip. */
export function IconButton({
  label,
  onPress,
  children,
}: {
  readonly label: string;
  readonly onPress?: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <AriaButton className="button-icon" aria-label={label} onPress={onPress}>
      <span aria-hidden title={label}>
        {children}
      </span>
    </AriaButton>
  );
}

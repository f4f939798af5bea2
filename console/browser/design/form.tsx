import type { ReactNode } from 'react';
import { Button } from './button';

/** A form that is sent by its button, by Enter in a text field, or by Ctrl Enter in any field. */
export function Form({
  className = 'form',
  onSend,
  children,
}: {
  readonly className?: string;
  readonly onSend: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const send = (event: { preventDefault(): void; stopPropagation(): void }): void => {
    event.preventDefault();
    // A dialog that a form opens is below it in the tree of components, and has a form of its own.
    event.stopPropagation();
    onSend();
  };
  return (
    <form
      className={className}
      noValidate
      onSubmit={send}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && send(event)}
    >
      {children}
    </form>
  );
}

/** The end of a form: buttons to send or cancel it; `children` are notes to read before. */
export function FormActions({
  verb,
  isPending,
  onCancel,
  children,
}: {
  readonly verb: string;
  readonly isPending: boolean;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="form-actions">
      <Button kind="primary" type="submit" isPending={isPending}>
        {verb}
      </Button>
      {onCancel && <Button onPress={onCancel}>Cancel</Button>}
      {children}
    </div>
  );
}

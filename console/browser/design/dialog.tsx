import './dialog.css';
import { useState } from 'react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { Button } from './button';
import { TextField } from './field';

/** A modal dialog; `Esc` closes it unless it must be answered. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isRequired = false,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isRequired?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Aria.ModalOverlay
      className="veil"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isRequired}
      isKeyboardDismissDisabled={isRequired}
    >
      <Aria.Modal className="dialog">
        <Aria.Dialog>
          <Aria.Heading slot="title" level={2}>
            {title}
          </Aria.Heading>
          {children}
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  );
}

/** Asks for confirmation before something ends or is removed; for irreversible actions `typedName` must be typed. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  verb,
  onConfirm,
  isPending = false,
  isDanger = false,
  typedName,
  error,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  readonly isDanger?: boolean;
  readonly typedName?: string;
  readonly error?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const mayGoOn = typedName === undefined || typed.trim() === typedName;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      {typedName !== undefined && (
        <TextField label={`Type ${typedName} to confirm`} value={typed} onChange={setTyped} autoFocus />
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="form-actions">
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending} isDisabled={!mayGoOn}>
          {verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

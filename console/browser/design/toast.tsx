import './dialog.css';
import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** Undoes the action. */
  readonly undo?: (() => void) | undefined;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
const drop = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Shows a message for 6 seconds, longer while the pointer or focus is on it; an error stays until it is closed. */
export function showToast(text: string, tone: Toast['tone'] = 'good', undo?: Toast['undo']): void {
  set([...toasts, { id: (lastId += 1), text, tone, undo }].slice(-3));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { readonly toast: Toast }): ReactNode {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (toast.tone === 'bad' || isHeld) return;
    const timer = setTimeout(() => drop(toast.id), 6_000);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  const { undo } = toast;
  const close = (): void => {
    // The focused button disappears with the toast; the heading takes the focus instead of losing it.
    document.querySelector('h1')?.focus();
    drop(toast.id);
  };
  return (
    <div
      className={toast.tone === 'bad' ? 'toast toast-bad' : 'toast'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {undo && (
        <Button
          kind="plain"
          onPress={() => {
            close();
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton label="Close" onPress={close}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}

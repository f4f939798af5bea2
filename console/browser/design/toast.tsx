import './dialog.css';
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './button';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
const drop = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Says for 6 seconds what was done; what went wrong stays until it is closed. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  set([...toasts, { id: (lastId += 1), text, tone }].slice(-3));
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
  useEffect(() => {
    if (toast.tone === 'bad') return;
    const timer = setTimeout(() => drop(toast.id), 6_000);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className={toast.tone === 'bad' ? 'toast toast-bad' : 'toast'}>
      <span>{toast.text}</span>
      <IconButton label="Close" onPress={() => drop(toast.id)}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}

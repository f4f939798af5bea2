import { useEffect } from 'react';

/** Ctrl Enter (Command Enter) presses the screen's main button; undefined while that is disabled. */
export function useSubmitKey(submit: (() => void) | undefined): void {
  useEffect(() => {
    if (!submit) return;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      submit();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [submit]);
}

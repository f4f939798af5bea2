import { useEffect } from 'react';

/** Ctrl Enter, or Command Enter, does what the main button of the screen does; undefined while that may not be pressed. */
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

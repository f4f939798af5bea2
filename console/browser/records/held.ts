/** Something that is sent in a moment, unless it is taken back. */
export interface Held {
  /** Sends it at once; does nothing when it was sent or taken back. */
  readonly sendNow: () => void;
  readonly takeBack: () => void;
}

/** Sends after a time, or at once when the person leaves the page: then the answer does not come back any more. */
export function hold(milliseconds: number, send: (isLeaving: boolean) => void): Held {
  let isDone = false;
  const end = (): boolean => {
    if (isDone) return false;
    isDone = true;
    clearTimeout(timer);
    window.removeEventListener('pagehide', leave);
    return true;
  };
  const leave = (): void => {
    if (end()) send(true);
  };
  const sendNow = (): void => {
    if (end()) send(false);
  };
  const timer = setTimeout(sendNow, milliseconds);
  window.addEventListener('pagehide', leave);
  return { sendNow, takeBack: () => void end() };
}

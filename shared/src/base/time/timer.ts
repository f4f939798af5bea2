/** Calls `end` once after that many milliseconds, unless the returned function is called before. Tests pass their own. */
export type StartTimer = (end: () => void, milliseconds: number) => () => void;

export const startSystemTimer: StartTimer = (end, milliseconds) => {
  const timer = setTimeout(end, milliseconds);
  return () => clearTimeout(timer);
};

/** It does not keep the process running. */
export const startBackgroundTimer: StartTimer = (end, milliseconds) => {
  const timer = setTimeout(end, milliseconds).unref();
  return () => clearTimeout(timer);
};

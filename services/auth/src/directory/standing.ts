/** Of whatever can be disabled and enabled again. */
export interface Standing {
  readonly disabledAt: Date | null;
  /** When it was last enabled again; what was granted before that is void. */
  readonly enabledAt: Date | null;
}

/** Whether something that was granted at `since` counts as far as this one goes. */
export const vouchesFor = ({ disabledAt, enabledAt }: Standing, since: Date): boolean =>
  !disabledAt && (!enabledAt || since > enabledAt);

/** Why something that was granted at `since` does not count as far as `what` goes; undefined when it does. */
export function whyVoid(what: string, standing: Standing | undefined, since: Date): string | undefined {
  if (standing && vouchesFor(standing, since)) return undefined;
  return standing && !standing.disabledAt ? `${what} was disabled in the meantime` : `${what} is disabled`;
}

/** The standing after disabling or enabling; to repeat either changes nothing. */
export function withDisabled({ disabledAt, enabledAt }: Standing, disabled: boolean, now: Date): Standing {
  if (disabled) return { disabledAt: disabledAt ?? now, enabledAt };
  return { disabledAt: null, enabledAt: disabledAt ? now : enabledAt };
}

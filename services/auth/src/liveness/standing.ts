/** Of whatever can be disabled and enabled again. */
export interface Standing {
  readonly disabledAt: Date | null;
  /** When it was last enabled again; what was granted before that is void. */
  readonly enabledAt: Date | null;
}

/** Whether something that was granted at `since` counts as far as this one goes. */
export const vouchesFor = ({ disabledAt, enabledAt }: Standing, since: Date): boolean =>
  !disabledAt && (!enabledAt || since > enabledAt);

/** The standing after disabling or enabling; to repeat either changes nothing. */
export function withDisabled({ disabledAt, enabledAt }: Standing, disabled: boolean, now: Date): Standing {
  if (disabled) return { disabledAt: disabledAt ?? now, enabledAt };
  return { disabledAt: null, enabledAt: disabledAt ? now : enabledAt };
}

/** State of a record that can be disabled and enabled again. */
export interface Standing {
  readonly disabledAt: Date | null;
  /** When it was last re-enabled; grants before that are void. */
  readonly enabledAt: Date | null;
}

/** Whether this record permits a grant made at `since`: it is enabled, and was not disabled in between. */
export const vouchesFor = ({ disabledAt, enabledAt }: Standing, since: Date): boolean =>
  !disabledAt && (!enabledAt || since > enabledAt);

/** Why the record called `what` voids a grant made at `since`; undefined when it does not. */
export function whyVoid(what: string, standing: Standing | undefined, since: Date): string | undefined {
  if (standing && vouchesFor(standing, since)) return undefined;
  return standing && !standing.disabledAt ? `${what} was disabled in the meantime` : `${what} is disabled`;
}

/** The state after disabling or enabling. Idempotent. */
export function withDisabled({ disabledAt, enabledAt }: Standing, disabled: boolean, now: Date): Standing {
  if (disabled) return { disabledAt: disabledAt ?? now, enabledAt };
  return { disabledAt: null, enabledAt: disabledAt ? now : enabledAt };
}

import type { Scope } from '@itsm/shared/contracts/scopes';

/** Scopes as a fact: `request:Read`, `request:Read in wdc`, `never person:Delete`. */
export const scopeFacts = (scopes: readonly Scope[]): string[] =>
  scopes.flatMap(({ effect, actions, account }) =>
    actions.map((action) => {
      const where = account === undefined ? action : `${action} in ${account}`;
      return effect === 'deny' ? `never ${where}` : where;
    }),
  );

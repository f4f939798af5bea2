import { createContext, useContext } from 'react';
import type { Session } from '../api/session';

/** The account in the address, and the signed-in person. */
export interface AccountContext {
  readonly account: string;
  readonly session: Session;
}

export const AccountProvider = createContext<AccountContext | undefined>(undefined);

export function useAccount(): AccountContext {
  const context = useContext(AccountProvider);
  if (!context) throw new Error('There is no account above this part.');
  return context;
}

import type { ReactNode } from 'react';
import { Empty } from '../design/panel';
import { useAccount } from '../frame/account';
import { Page } from '../frame/page';
import type { Kind } from './kinds';
import { RecordLink } from './record-link';

/** Shown in place of a record that does not exist, or that the person may not see. */
export function MissingRecord({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account, session } = useAccount();
  const others = session.accounts.filter(({ accountID, disabled }) => accountID !== account && !disabled);
  return (
    <Page title={`${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)} ${number}`}>
      <Empty title={`There is no ${kind.noun} ${number} in ${account}, or you may not see it.`}>
        {others.length > 0 && (
          <>
            <p>It may be in another of your accounts:</p>
            <ul className="record-values">
              {others.map(({ accountID, name }) => (
                <li key={accountID}>
                  <RecordLink account={accountID} kind={kind.plural} number={number}>
                    {name}
                  </RecordLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </Empty>
    </Page>
  );
}

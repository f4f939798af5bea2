import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../frame/account';
import { Page } from '../frame/page';

/** Shown at an address of no kind of record. */
export function NoSuchPlace(): ReactNode {
  const { account } = useAccount();
  return (
    <Page title="Page not found">
      <p>
        Check the address for typos.{' '}
        <Link to="/accounts/$account" params={{ account }}>
          Go home
        </Link>
      </p>
    </Page>
  );
}

import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button, buttonClass } from '../design/button';
import { Empty } from '../design/panel';
import { isStaleChunk } from './notices';
import { Page } from './page';

/** In place of a screen that could not be loaded or failed; the frame around it stays. */
export function ScreenFailure({ error }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  if (isStaleChunk(error))
    return (
      <Page title="A part of this page is missing">
        <Notice
          title="A new version may be rolling out. Try again in a minute."
          action={
            <a className={buttonClass('primary')} href={location.href}>
              Try again
            </a>
          }
        />
      </Page>
    );
  return (
    <Page title="This page could not be loaded">
      <Notice title={explain(error)} action={<Button onPress={() => void router.invalidate()}>Try again</Button>} />
    </Page>
  );
}

const Notice = ({ title, action }: { readonly title: string; readonly action: ReactNode }): ReactNode => (
  <div className="panel">
    <Empty title={title} action={action} />
  </div>
);

import './design/tokens.css';
import './design/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nProvider, RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { ApiError } from './api/errors';
import { createQueryClient } from './api/queries';
import { router } from './routes';

const root = document.getElementById('root');
if (!root) throw new Error('The shell has no root.');

// What the platform refuses, or fails at, is shown in place of what it was asked for: it is no fault of the page.
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof ApiError)) reportError(error);
};

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      {/* What the components say by themselves, to a screen reader above all, is in the language of our texts. */}
      <I18nProvider locale="en-GB">
        <AriaRouterProvider navigate={(href) => void router.navigate({ to: href })}>
          <RouterProvider router={router} />
        </AriaRouterProvider>
      </I18nProvider>
    </QueryClientProvider>
  </StrictMode>,
);

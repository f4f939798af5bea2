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

// Refusals and failures of the platform are shown on the page; they are not errors of the page.
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof ApiError)) reportError(error);
};

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      {/* The components' built-in texts, mainly for screen readers, are in the language of our texts. */}
      <I18nProvider locale="en-GB">
        <AriaRouterProvider navigate={(href) => void router.navigate({ to: href })}>
          <RouterProvider router={router} />
        </AriaRouterProvider>
      </I18nProvider>
    </QueryClientProvider>
  </StrictMode>,
);

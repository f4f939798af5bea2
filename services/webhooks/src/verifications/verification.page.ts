import { render } from './page';

export const successPage = (webhookName: string): string =>
  render({
    tone: 'good',
    title: 'Verification successful',
    texts: [
      `The webhook “${webhookName}” is active from now on.`,
      'You can close this page. The link cannot be used again.',
    ],
  });

export const failurePage = (): string =>
  render({
    tone: 'bad',
    title: 'Not Found',
    texts: [
      'This verification link is not valid: it may have been used, replaced by a newer one, or be older than 24 hours.',
      'An account administrator can have a new link sent by updating the webhook.',
    ],
  });

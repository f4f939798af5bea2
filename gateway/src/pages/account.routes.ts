import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { isAccountId } from '@itsm/shared/api/identity/account-id';
import { nounOf, recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { openHeaders, renderPage } from './page';
import type { Place } from '../transport/hosts';

/**
 * By the first path segment of a record's address (as in `canonical` links and REST): the singular noun for the page.
 */
export const nounsOf = (kinds: RecordKinds = recordKinds): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.values(kinds).map(({ plural, graphqlName }) => [plural, nounOf(graphqlName)])),
  webhooks: 'Webhook',
});

const nouns = nounsOf();

/**
 * The pages of accounts. The host of an account redirects to the same path at BASE_URL. There the pages of an account
 * and of its records explain how to find them in the API; they do not check whether the record exists.
 */
export function createAccountRoutes(baseUrl: string, placeOf: (req: IncomingMessage) => Place): Router {
  const router = Router({ caseSensitive: true });
  router.get('/accounts/*path', (req, res, next) => {
    if (placeOf(req).kind === 'account') res.redirect(302, `${baseUrl}${req.url}`);
    else next();
  });
  router.get('/accounts/:account', ({ params: { account } }, res, next) => {
    if (isAccountId(account)) res.set(openHeaders).type('html').send(accountPage(account));
    else next();
  });
  router.get('/accounts/:account/:noun/:id', ({ params: { account, noun, id } }, res, next) => {
    const name = Object.hasOwn(nouns, noun) ? nouns[noun] : undefined;
    if (name === undefined || !isAccountId(account) || !/^[\w-]{1,200}$/.test(id)) next();
    else
      res
        .set(openHeaders)
        .type('html')
        .send(recordPage(`${name} ${id}`, account, `${baseUrl}/v1/${noun}/${id}`));
  });
  return router;
}

const profile = '<a href="/oauth/profile">your profile</a>';

const accountTemplate = /* html */ `<h1>Account <%= it.account %></h1>
<p>Who belongs to it signs in to ${profile}.</p>
`;

const accountPage = (account: string): string =>
  renderPage({ title: `Account ${account}`, template: accountTemplate, data: { account } });

const recordTemplate = /* html */ `<h1><%= it.title %></h1>
<p>of the account <code><%= it.account %></code></p>
<p>Get it from the API, with a token from ${profile}, if you may see it:</p>
<pre><code>curl <%= it.address %> -H 'Authorization: Bearer &lt;token&gt;' -H 'X-Service-Account: <%= it.account %>'</code></pre>
<p>The API has a <a href="/docs/v1/records">documentation</a> and a <a href="/graphql">GraphQL endpoint</a>.</p>
`;

const recordPage = (title: string, account: string, address: string): string =>
  renderPage({ title, template: recordTemplate, data: { account, address } });

import type { Response } from 'express';
import { statusOf } from '@itsm/shared/base/errors/app-error';
import type { AppError } from '@itsm/shared/base/errors/app-error';
import { barWith } from '@itsm/shared/api/pages/bar';
import { createPages } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

const stylesheet = createStylesheet('main { max-width: 28rem; margin: 12vh auto; padding: 0 1rem; }\n');
const render = createPages({ stylesheet, layout: `${barWith()}<%~ it.body %>` });
const headers = pageHeaders({ 'style-src': stylesheet.source });

const template = /* html */ `<main><div class="card">
<h1><%= it.title %></h1>
<p>This sign-in was already completed, took too long, or began in another browser.</p>
<a class="button primary wide" href="<%= it.address %>">Sign in again</a>
</div></main>
`;

const wrongTemplate = /* html */ `<main><div class="card">
<h1><%= it.title %></h1>
<p>The console is not set up for this platform: <%= it.reason %>.</p>
<p>Signing in again does not help: the operator has to change the settings.</p>
</div></main>
`;

/** Answers 500, since nothing that the person does helps. */
export function sendSetUpWrong(res: Response, reason: string): void {
  const title = 'Sign-in is not available';
  res
    .status(500)
    .set(headers)
    .type('html')
    .send(render({ title, template: wrongTemplate, data: { reason, places: [] } }));
}

const laterTemplate = /* html */ `<main><div class="card">
<h1><%= it.title %></h1>
<p><%= it.reason %>.</p>
<a class="button wide" href="<%= it.address %>">Sign in again</a>
</div></main>
`;

/** Answers with the status of an outage, which the person can wait for, and a link to a new sign-in. */
export function sendLater(res: Response, { code, message }: AppError, next = '/'): void {
  const data = { reason: message, address: addressTo(next), places: [] };
  res
    .status(statusOf[code])
    .set(headers)
    .type('html')
    .send(render({ title: 'Sign-in is not possible at the moment', template: laterTemplate, data }));
}

const addressTo = (next: string): string => `/console/sign-in?${new URLSearchParams({ next }).toString()}`;

/** Answers 400 with a link to a new sign-in; `next` is its target. */
export function sendSignInAgain(res: Response, next = '/'): void {
  res
    .status(400)
    .set(headers)
    .type('html')
    .send(render({ title: 'Sign in again', template, data: { address: addressTo(next), places: [] } }));
}

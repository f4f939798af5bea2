import type { Response } from 'express';
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

/** Answers 400 with a link to a new sign-in; `next` is its target. */
export function sendSignInAgain(res: Response, next = '/'): void {
  const address = `/console/sign-in?${new URLSearchParams({ next }).toString()}`;
  res
    .status(400)
    .set(headers)
    .type('html')
    .send(render({ title: 'Sign in again', template, data: { address, places: [] } }));
}

import type { Response } from 'express';
import { barWith, placesOf } from '@itsm/shared/api/pages/bar';
import type { Place } from '@itsm/shared/api/pages/bar';
import { createPages } from '@itsm/shared/api/pages/page';
import type { Page } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { isAdministrator } from '../directory/person';
import type { Person } from '../directory/person';
import { formTokenOf, newFormId } from './form-token';
import { showTo } from './moments';
import type { Visitor } from './session';
import { stylesheetPath } from './stylesheet';

interface SentPage<Data extends object> extends Page<Data> {
  /** Whether a form of the page may lead to an application. */
  readonly leadsAway?: boolean;
  /** Whether the page loads a script of this service. */
  readonly runsScript?: boolean;
}

/** The layout of all pages: the bar with the signed-in person, the link to the profile and the sign-out button. */
const layout = /* html */ `${barWith(/* html */ `<% if (it.person) { %>
<a class="who" href="/oauth/profile"><%= it.person.name %> · <%= it.person.accountId %></a>
<form class="inline" method="post" action="/oauth/sign-out">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<% if (it.returnTo) { %><input type="hidden" name="next" value="<%= it.returnTo %>"><% } %>
<button class="plain">Sign out</button></form>
<% } %>
`)}<%~ it.body %>`;

const render = createPages({ stylesheet: { stylesheetPath }, layout });

const styled = { 'style-src': "'self'" } as const;
const scripted = { ...styled, 'script-src': "'self'" } as const;
const strict = { 'form-action': "'self'" } as const;
export const strictHeaders = pageHeaders({ ...styled, ...strict });

/**
 * Browsers apply `form-action` to every redirect after a form, and an application's callback may redirect to any
 * origin. A page that leads there cannot list these origins, so it has no `form-action`; every other page is strict.
 */
const leadingAway = { 'form-action': undefined } as const;

/** Sends the page. It loads scripts of its own origin only if declared, and is never framed or cached. */
export function sendPage<Data extends object>(
  res: Response,
  status: number,
  { leadsAway = false, runsScript = false, data, ...page }: SentPage<Data>,
  visitor: Visitor,
): void {
  const person = visitor.signedIn?.person;
  const formToken = visitor.cookie === undefined ? '' : formTokenOf(visitor.cookie);
  const shown = {
    ...data,
    show: showTo(person),
    places: person ? placesFor(person, res.req.originalUrl) : [],
    person,
    formToken,
    formId: newFormId(),
  };
  const html = render({ ...page, data: shown });
  res
    .status(status)
    .set(pageHeaders({ ...(runsScript ? scripted : styled), ...(leadsAway ? leadingAway : strict) }))
    .type('html')
    .send(html);
}

const administration = '/oauth/administration/';

/** The links of the bar, with the current one marked. */
const placesFor = (person: Person, address: string): readonly Place[] =>
  [
    ...placesOf(person.accountId),
    ...(isAdministrator(person) ? [{ address: `${administration}people`, text: 'Administration' }] : []),
  ].map((place) => ({ ...place, isCurrent: address.startsWith(place.address.replace(/people$/, '')) }));

/** Navigation between the pages for administrators; `it.section` is the current one. */
export const navigation = /* html */ `<nav class="tabs" aria-label="Administration">
<a href="/oauth/administration/applications">Applications</a>
<a href="/oauth/administration/sso-configurations"<% if (it.section === 'sso-configurations') { %> aria-current="page"<% } %>>SSO configurations</a>
<a href="/oauth/administration/people"<% if (it.section === 'people') { %> aria-current="page"<% } %>>People</a>
<a href="/oauth/administration/account"<% if (it.section === 'account') { %> aria-current="page"<% } %>>Account</a>
<a href="/oauth/administration/security-log"<% if (it.section === 'security-log') { %> aria-current="page"<% } %>>Security log</a>
</nav>`;

/** The attributes of a field for an e-mail address. Browsers refuse a local part beyond ASCII in one of `type=email`. */
export const addressField = 'type="text" inputmode="email" autocapitalize="none" spellcheck="false"';

/**
 * An e-mail address in a template, whose data has it as `of`: if it needs several lines, they break after its @ and its
 * dots. `end` is the punctuation that follows, which would otherwise stand alone on the next line.
 */
export const shownAddress = (of: string, end = ''): string =>
  `<span class="address"><% ${of}.split(/(?<=[@.])/).forEach((part, at) => { %><% if (at > 0) { %><wbr><% } %><%= part %><% }) %>${end}</span>`;

import { Eta } from 'eta';
import type { Response } from 'express';
import { formTokenOf } from './form-token';
import type { Visitor } from './session';
import { layout } from './layout.template';
import { stylesheetPath } from './stylesheet';

/** A page of its own kind: a template and the data it shows. Everything shown is escaped. */
export interface Page<Data extends object> {
  readonly title: string;
  readonly template: string;
  readonly data: Data;
  /** Whether a form of the page leads on to an application. */
  readonly leadsAway?: boolean;
}

const eta = new Eta({ autoEscape: true, cache: true });
eta.loadTemplate('@layout', layout);

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const show = { date: (date: Date): string => dates.format(date) };

/** Answers with the page. It runs no script, is never framed and never stored. */
export function sendPage<Data extends object>(res: Response, status: number, page: Page<Data>, visitor: Visitor): void {
  const { title, template, data, leadsAway = false } = page;
  const common = {
    title,
    stylesheetPath,
    show,
    person: visitor.signedIn?.person,
    formToken: visitor.cookie === undefined ? '' : formTokenOf(visitor.cookie),
  };
  const html = eta.renderString(template, { ...data, ...common });
  res.status(status).set('Content-Security-Policy', policy(leadsAway)).type('html').send(html);
}

/**
 * Browsers hold `form-action` against every redirect that follows a form, and an application may redirect on from its
 * callback to whatever origin it likes. A page that leads there can therefore not name them; every other page is strict.
 */
const policy = (leadsAway: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
  ].join('; ');

import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { Request, RequestHandler, Response } from 'express';
import { isSignInProvider } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { Person } from '../directory/person';
import { sendPage, shownAddress } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import type { SessionService } from '../sessions/session.service';
import { setVisitor, signedInOf, visitorOf } from '../sessions/visitor';
import type { ConfirmationService } from './confirmation.service';
import { codeField, hiddenFormToken, inWords, passkeyAnswer, passkeyScriptTag } from './factor-forms.page';
import type { Checked, FactorService } from './factor.service';
import type { PasskeyService } from './passkey.service';

interface Dependencies {
  readonly confirmation: ConfirmationService;
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly sessions: Pick<SessionService, 'renew'>;
  readonly cookie: SessionCookie;
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'listLinkable'>;
  readonly baseUrl: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

const ours = ['confirm_password', 'confirm_code', 'confirm_passkey', 'confirm_again'];

/** Step-up handlers: they pass requests of people who have authenticated recently, and ask others to sign in again. */
export interface Freshness {
  /**
   * For a form that changes access, after `checkForm`. The step-up page keeps the typed form as hidden fields, and
   * continues it after sign-in.
   */
  readonly requireFresh: RequestHandler;
  /**
   * For a page whose form has password fields: the person signs in again before the page is shown. A form sent too late
   * is dropped, because no page may hold a password in hidden fields.
   */
  readonly requireFreshFirst: RequestHandler;
}

export function createFreshness(dependencies: Dependencies): Freshness {
  const { confirmation, factors, passkeys, sessions, cookie, ssoConfigurations, baseUrl } = dependencies;

  /**
   * The providers at which a person without a password signs in again. They open in a new page, because this one keeps
   * the typed form.
   */
  async function providersOf({ accountId, password }: Person) {
    const all = password === null ? await ssoConfigurations.listLinkable(accountId) : [];
    const query = new URLSearchParams({ account: accountId, again: 'yes' }).toString();
    return all
      .filter(isSignInProvider)
      .map(({ id, name }) => ({ name, address: `${baseUrl}/oauth/sign-in/provider/${id}?${query}` }));
  }

  async function ask(req: Request, res: Response, fields: Fields | undefined, checked: Checked | undefined) {
    const { person } = signedInOf(req);
    const { accountId, id } = person;
    const known = await factors.find(accountId, id);
    const owner = { accountId, personId: id };
    const hasPasskeys = known.passkeys.length > 0;
    const ceremony = { purpose: 'confirmation', cookie: cookieOf(req), owner, verifiesPerson: true } as const;
    const data = {
      action: req.originalUrl,
      isKept: fields !== undefined,
      fields: Object.entries(fields ?? {}).flatMap(([name, value]) =>
        [value].flat().map((text) => ({ name, value: text })),
      ),
      hasPassword: person.password !== null,
      providers: await providersOf(person),
      hasCode: known.totp !== undefined || hasPasskeys,
      passkeyOptions: hasPasskeys ? await passkeys.ask(ceremony) : undefined,
      problem: checked && problemOf(checked, person),
    };
    if (checked?.kind === 'throttled') res.set('Retry-After', String(checked.seconds));
    const status = checked ? (checked.kind === 'throttled' ? 429 : 401) : 200;
    const page = { title: 'Sign in again', template: confirmationTemplate, data, runsScript: hasPasskeys };
    sendPage(res, status, page, visitorOf(req));
  }

  async function renew(req: Request, res: Response, provedFactor: boolean): Promise<void> {
    const renewed = await sessions.renew(signedInOf(req), provedFactor);
    if (!renewed)
      throw forbidden('This session was renewed or ended at the same moment. Go back, reload and try again.');
    cookie.write(res, renewed.id);
    setVisitor(req, { cookie: renewed.id, signedIn: renewed.signedIn });
  }

  return {
    async requireFresh(req, res, next) {
      const { form_token: _formToken, ...body } = req.body as Record<string, string | string[]>;
      const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !ours.includes(name)));
      if (!(await confirmation.isFresh(signedInOf(req)))) {
        const checked = await check(req, body);
        if (checked?.kind !== 'right') return ask(req, res, fields, checked);
        await renew(req, res, checked.provedFactor);
      }
      req.body = fields;
      return next();
    },
    async requireFreshFirst(req, res, next) {
      if (await confirmation.isFresh(signedInOf(req))) return next();
      const checked = req.method === 'POST' ? await check(req, req.body as Record<string, unknown>) : undefined;
      if (checked?.kind !== 'right') return ask(req, res, undefined, checked);
      await renew(req, res, checked.provedFactor);
      return res.redirect(303, req.originalUrl);
    },
  };

  /** Undefined when the request has no answer to the step-up yet. */
  async function check(req: Request, body: Readonly<Record<string, unknown>>): Promise<Checked | undefined> {
    const [password = '', code = '', passkey = '', again] = ours.map((name) => textIn(body[name]));
    if (again === '') return undefined;
    const signedIn = signedInOf(req);
    return confirmation.confirm(signedIn.person.accountId, signedIn, cookieOf(req), { password, code, passkey });
  }
}

const textIn = (given: unknown): string => (typeof given === 'string' ? given.slice(0, 8_192) : '');

const cookieOf = (req: Request): string => visitorOf(req).cookie ?? '';

function problemOf(checked: Checked, { password }: Person): string {
  if (checked.kind === 'throttled') return `Too many attempts. Please try again in ${inWords(checked.seconds)}.`;
  if (password === null)
    return 'You have not signed in again yet. Please sign in with the button below, then continue.';
  return 'The password or the code is wrong. Please try again.';
}

const hiddenFields = /* html */ `${hiddenFormToken}<input type="hidden" name="confirm_again" value="yes">
<% it.fields.forEach(({ name, value }) => { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% }) %>`;

const confirmationTemplate = /* html */ `<main class="narrow"><div class="card">
<h1>Sign in again</h1>
<p class="muted">This change needs a recent sign-in. You are signed in as <strong>${shownAddress('it.person.primaryEmail', '.')}</strong><% if (it.isKept) { %> Your input is kept.<% } %></p>
<% if (it.problem) { %><div class="notice bad" role="alert"><p><%= it.problem %></p></div><% } %>
<% if (it.passkeyOptions) { %><form method="post" action="<%= it.action %>" data-passkey="get" data-options="<%= it.passkeyOptions %>" hidden>
${hiddenFields}
${passkeyAnswer('confirm_passkey')}
<button class="primary wide">Use a passkey</button>
</form><% } %>
<% if (it.hasPassword) { %><form method="post" action="<%= it.action %>"<% if (it.passkeyOptions) { %> class="after"<% } %>>
${hiddenFields}
<div class="field"><label for="password">Password</label>
<input id="password" type="password" name="confirm_password" autocomplete="current-password" maxlength="1024" required<% if (!it.passkeyOptions) { %> autofocus<% } %>></div>
<% if (it.hasCode) { %>${codeField('confirm_code')}<% } %>
<button class="wide<% if (!it.passkeyOptions) { %> primary<% } %>">Continue</button>
</form><% } else if (it.providers.length > 0) { %><% it.providers.forEach((one) => { %><p><a class="button wide<% if (!it.passkeyOptions) { %> primary<% } %>" href="<%= one.address %>" target="_blank" rel="noopener">Sign in with <%= one.name %><span class="visually-hidden">, in a new tab</span></a></p><% }) %>
<form class="after" method="post" action="<%= it.action %>">
${hiddenFields}
<p class="muted small">It opens in a new tab. After signing in there, come back and continue here.</p>
<% if (it.hasCode) { %>${codeField('confirm_code')}<% } %>
<button class="wide">Continue</button>
</form><% } else if (!it.passkeyOptions) { %><p>Please sign out above and sign in again.</p><% } %>
<p class="below"><a href="/oauth/profile">Cancel</a></p>
</div></main>
<% if (it.passkeyOptions) { %>${passkeyScriptTag}<% } %>
`;

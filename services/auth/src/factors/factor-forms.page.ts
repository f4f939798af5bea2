import { passkeyScriptPath } from './passkey-script';

export const hiddenFormToken = /* html */ `<input type="hidden" name="form_token" value="<%= it.formToken %>">`;

/** A code of the authenticator app, or a recovery code. */
export const codeField = (
  name: string,
  autofocus = '',
): string => /* html */ `<div class="field"><label for="code">Code</label>
<input id="code" type="text" name="${name}" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" aria-describedby="code-hint"${autofocus}>
<p id="code-hint" class="muted small">The six digits from your authenticator app, or a recovery code.</p></div>`;

/** The field for the answer of a passkey, filled in by the script; `it.passkeyOptions` are the options of the request. */
export const passkeyAnswer = (
  name: string,
): string => /* html */ `<input type="hidden" name="${name}" value="" data-answer autocomplete="off">
<p class="small notice bad" role="alert" data-problem hidden>The passkey could not be used. Please try again.</p>`;

export const passkeyScriptTag = /* html */ `<script src="${passkeyScriptPath}" defer></script>`;

/** "3 minutes", "1 second" */
export const inWords = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

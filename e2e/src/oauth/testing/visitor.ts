import type { Answer, HttpClient } from './http-client';
import { callback } from './operator';
import type { Application, Person } from './operator';
import { challenge } from './pkce';

/** A person in a minimal browser with cookies and forms. */
export type Visitor = Awaited<ReturnType<typeof signIn>>;

const tokenIn = ({ text }: Answer): string => /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '';
const sessionIn = ({ headers }: Answer): string => /session=[\w-]+/.exec(headers['set-cookie']?.[0] ?? '')?.[0] ?? '';

/** Signs `person` in on the pages of `origin`. */
export async function signIn(
  http: HttpClient,
  origin: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
) {
  const page = await http.call(`${origin}/oauth/sign-in`);
  const form = { form_token: tokenIn(page), email, password, next: '' };
  const signedIn = await http.form(`${origin}/oauth/sign-in`, form, { Cookie: sessionIn(page) });
  if (signedIn.status !== 303) throw new Error(`sign-in answered ${signedIn.status}: ${signedIn.text}`);
  const cookie = sessionIn(signedIn);
  const visit = (path: string): Promise<Answer> => http.call(`${origin}${path}`, { headers: { Cookie: cookie } });

  /** Submits the form of `page` whose action matches. */
  const submit = (page: Answer, action: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    http.form(`${origin}${action}`, { form_token: tokenIn(page), ...fields }, { Cookie: cookie });

  async function authorize({ clientId }: Application): Promise<string> {
    const target = { client_id: clientId, response_type: 'code', redirect_uri: callback };
    const query = new URLSearchParams({ ...target, ...challenge });
    let answer = await visit(`/oauth/authorize?${query.toString()}`);
    const asked = answer.headers.location ?? '';
    if (asked.startsWith('/oauth/consents/')) {
      answer = await submit(await visit(asked), asked, { decision: 'allow' });
    }
    const code = new URL(answer.headers.location ?? '', callback).searchParams.get('code');
    if (code === null) throw new Error(`authorize answered ${answer.status} ${answer.headers.location}`);
    return code;
  }

  return { cookie, visit, submit, authorize };
}

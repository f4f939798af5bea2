/** The configuration that the server writes into the page. */
export interface Config {
  /** The release that served this page; answers have the release that served them. */
  readonly build: string;
  /** The public URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The nonce of the Content-Security-Policy, for styles that are created at run time. */
  readonly nonce: string;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content;
if (content === undefined) throw new Error('The shell has no configuration.');
export const config = JSON.parse(content) as Config;

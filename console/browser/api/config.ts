/** What the shell says of the platform it belongs to. */
export interface Config {
  /** Of the release that served this page; answers carry that of the release that served them. */
  readonly build: string;
  /** Where the API is reached from outside, without a slash at its end. */
  readonly baseUrl: string;
  /** Of the Content-Security-Policy: styles made in the browser carry it. */
  readonly nonce: string;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content;
if (content === undefined) throw new Error('The shell has no configuration.');
export const config = JSON.parse(content) as Config;

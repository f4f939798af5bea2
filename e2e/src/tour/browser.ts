import { defaultTreeAdapter, parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
  readonly forms: readonly Form[];
  /** Set when the page redirects to another origin; redirects within the platform are followed. */
  readonly leavesTo: string | undefined;
}

export interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly buttons: readonly { readonly name: string; readonly value: string; readonly text: string }[];
  readonly text: string;
}

/** A minimal browser, enough to sign in: cookies, redirects within one origin, and forms. */
export interface Browser {
  visit(url: string): Promise<Page>;
  /** A field with several values is a group of checkboxes. */
  submit(form: Form, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Page>;
}

export function createBrowser(origin: string): Browser {
  const cookies = new Map<string, string>();

  async function visit(url: string, init: RequestInit = {}): Promise<Page> {
    const headers = { Accept: 'text/html', Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response = await fetch(url, { ...init, headers: { ...headers, ...init.headers }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(line);
    const html = await response.text();
    const location = response.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next?.origin === origin) return visit(next.href);
    return { url, status: response.status, html, forms: formsOf(html, url), leavesTo: next?.href };
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    visit: (url) => visit(url),
    submit: (form, fields) =>
      visit(form.action, {
        method: form.method,
        body: new URLSearchParams(pairsOf({ ...form.fields, ...fields })).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
      }),
  };
}

const pairsOf = (fields: Readonly<Record<string, string | readonly string[]>>): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[name, value] as [string, string]]
      : value.map((each): [string, string] => [name, each]),
  );

function formsOf(html: string, url: string): Form[] {
  return elementsOf(parse(html), 'form').map((form) => ({
    action: new URL(attribute(form, 'action') ?? url, url).href,
    method: (attribute(form, 'method') ?? 'get').toUpperCase(),
    fields: Object.fromEntries(
      elementsOf(form, 'input')
        .filter((input) => attribute(input, 'type') === 'hidden')
        .map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']),
    ),
    buttons: elementsOf(form, 'button').map((button) => ({
      name: attribute(button, 'name') ?? '',
      value: attribute(button, 'value') ?? '',
      text: textOf(button),
    })),
    text: textOf(form),
  }));
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

const elementsOf = (node: Node, tag: string): Element[] =>
  childrenOf(node).flatMap((child) => [
    ...(defaultTreeAdapter.isElementNode(child) && child.tagName === tag ? [child] : []),
    ...elementsOf(child, tag),
  ]);

const textOf = (node: Node): string =>
  defaultTreeAdapter.isTextNode(node) ? node.value : childrenOf(node).map(textOf).join(' ').replace(/\s+/g, ' ').trim();

import { config } from '../api/config';
import { readVariables } from './question';
import type { Draft } from './question';

export type Language = 'curl' | 'JavaScript' | 'Python';
export const languages: readonly Language[] = ['curl', 'JavaScript', 'Python'];

/** The call as a program, which reads its token from the variable `TOKEN`. */
export function snippetOf(language: Language, draft: Draft, account: string): string {
  const given = readVariables(draft.variables);
  const variables = typeof given === 'string' ? {} : given;
  const body: Record<string, unknown> = { query: draft.query };
  if (Object.keys(variables).length > 0) body['variables'] = variables;
  if (draft.operation !== undefined) body['operationName'] = draft.operation;
  return writers[language](body, account);
}

const url = `${config.baseUrl}/graphql`;

const writers: Readonly<Record<Language, (body: Record<string, unknown>, account: string) => string>> = {
  curl: (body, account) =>
    [
      `curl ${url} \\`,
      '  -H "Authorization: Bearer $TOKEN" \\',
      `  -H 'X-Service-Account: ${account}' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    ].join('\n'),
  JavaScript: ({ query, ...others }, account) =>
    [
      `const query = \`${escapeTemplate(String(query))}\`;`,
      '',
      `const response = await fetch('${url}', {`,
      "  method: 'POST',",
      '  headers: {',
      '    Authorization: `Bearer ${process.env.TOKEN}`,',
      `    'X-Service-Account': '${account}',`,
      "    'Content-Type': 'application/json',",
      '  },',
      `  body: JSON.stringify({ query${Object.entries(others)
        .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`)
        .join('')} }),`,
      '});',
      'const { data, errors } = await response.json();',
      "console.log(data, errors, `${response.headers.get('x-costlimit-cost')} points`);",
    ].join('\n'),
  Python: ({ query, ...others }, account) =>
    [
      'import json, os, urllib.request',
      '',
      `query = ${JSON.stringify(query)}`,
      `body = {"query": query${Object.entries(others)
        .map(([name, value]) => `, "${name}": json.loads(${JSON.stringify(JSON.stringify(value))})`)
        .join('')}}`,
      '',
      'request = urllib.request.Request(',
      `    "${url}",`,
      '    data=json.dumps(body).encode(),',
      '    headers={',
      '        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",',
      `        "X-Service-Account": "${account}",`,
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(json.dumps(json.load(response), indent=2))',
      '    print(response.headers["x-costlimit-cost"], "points")',
    ].join('\n'),
};

const escapeTemplate = (text: string): string => text.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`);

import { Link } from '@tanstack/react-router';
import { Check, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { config } from '../api/config';
import { Button } from '../design/button';
import { Code } from '../design/code';
import { Select } from '../design/select';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';

const hidden = 'console-first-calls';

/** The steps that the platform can detect as done; it cannot detect the first query. */
interface Done {
  readonly token: boolean;
  readonly webhook: boolean;
  readonly delivery: boolean;
  readonly application: boolean;
}

/** A checklist from an empty account to the first delivery; it ticks itself, and can be dismissed. */
export function FirstCalls({ done }: { readonly done: Done }): ReactNode {
  const { account } = useAccount();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(`${hidden} ${account}`) === 'yes');
  if (isHidden) return null;
  const hide = (): void => {
    localStorage.setItem(`${hidden} ${account}`, 'yes');
    setHidden(true);
  };
  return (
    <Panel title="Get started" actions={<Button onPress={hide}>Hide</Button>}>
      <ol className="steps">
        <Step number={1} isDone={done.token} text="Get a personal access token">
          <a href={`/oauth/profile?return=${encodeURIComponent(`/accounts/${account}`)}#new-token`}>New token</a>
        </Step>
        <li>
          <span className="step-mark step-plain">
            <SquareTerminal aria-hidden size={18} strokeWidth={1.75} />
          </span>
          <FirstQuery />
        </li>
        <Step number={2} isDone={done.webhook} text="Register a webhook">
          <Link to="/accounts/$account/webhooks/new" params={{ account }}>
            New webhook
          </Link>
        </Step>
        <Step number={3} isDone={done.delivery} text="See the first delivery">
          <Link to="/accounts/$account/deliveries" params={{ account }}>
            Deliveries
          </Link>
        </Step>
        <Step number={4} isDone={done.application} text="Create an application to act for others">
          <Link to="/accounts/$account/applications/new" params={{ account }}>
            New application
          </Link>
        </Step>
      </ol>
    </Panel>
  );
}

function Mark({ number, isDone }: { readonly number: number; readonly isDone: boolean }): ReactNode {
  return (
    <span className={isDone ? 'step-mark step-done' : 'step-mark'}>
      {isDone ? <Check aria-hidden size={14} /> : number}
      {isDone && <span className="visually-hidden">Done:</span>}
    </span>
  );
}

function Step({
  number,
  isDone,
  text,
  children,
}: {
  readonly number: number;
  readonly isDone: boolean;
  readonly text: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <li>
      <Mark number={number} isDone={isDone} />
      <span>{text}</span>
      {children}
    </li>
  );
}

type Language = 'curl' | 'node' | 'python';
const query = '{ me { name } requests(first: 3) { nodes { subject status } } }';

function FirstQuery(): ReactNode {
  const { account } = useAccount();
  const [language, setLanguage] = useState<Language>('curl');
  const address = `${config.baseUrl}/graphql`;
  const texts = {
    curl: `curl ${address} \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H 'X-Service-Account: ${account}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ query })}'`,
    node: `const answer = await fetch('${address}', {\n  method: 'POST',\n  headers: {\n    Authorization: \`Bearer \${process.env.TOKEN}\`,\n    'X-Service-Account': '${account}',\n    'Content-Type': 'application/json',\n  },\n  body: JSON.stringify({ query: '${query}' }),\n});\nconsole.log(await answer.json());`,
    python: `import json, os, urllib.request\n\nrequest = urllib.request.Request('${address}', json.dumps({'query': '${query}'}).encode(), {\n    'Authorization': 'Bearer ' + os.environ['TOKEN'],\n    'X-Service-Account': '${account}',\n    'Content-Type': 'application/json',\n})\nprint(json.load(urllib.request.urlopen(request)))`,
  };
  return (
    <div className="stack">
      <div className="row spread">
        <span>Call the API</span>
        <Select
          label="Language"
          isLabelHidden
          value={language}
          onChange={setLanguage}
          options={[
            { value: 'curl', label: 'curl' },
            { value: 'node', label: 'Node.js' },
            { value: 'python', label: 'Python' },
          ]}
        />
      </div>
      <Code text={texts[language]} what={`the call in ${language}`} />
    </div>
  );
}

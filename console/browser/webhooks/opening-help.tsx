import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Code } from '../design/code';
import { Select } from '../design/select';
import { snippets } from './snippets';
import type { Language } from './snippets';

const languages: readonly { readonly value: Language; readonly label: string }[] = [
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
  { value: 'ruby', label: 'Ruby' },
];

/** Sample code of a receiver that opens the callback, to copy. */
export function OpeningHelp({
  isSigned,
  account,
}: {
  readonly isSigned: boolean;
  readonly account: string;
}): ReactNode {
  const [language, setLanguage] = useState<Language>('node');
  return (
    <details className="panel disclosure">
      <summary>How a receiver opens the callback</summary>
      <div className="panel-body">
        <p>
          The body of <code>webhook.verify</code> has an address in <code>payload.callback</code>. Opening it, by GET or
          POST, proves that the receiver wants the calls; a person may also copy it into a browser.
        </p>
        {isSigned && (
          <p>
            This webhook is signed: the body is a token.{' '}
            <Link to="/accounts/$account/signing" params={{ account }}>
              Signing
            </Link>{' '}
            has a receiver that checks it.
          </p>
        )}
        <Select label="Language" value={language} onChange={setLanguage} options={languages} />
        <Code text={snippets[language]} what="the receiver" />
      </div>
    </details>
  );
}

import { json } from '@codemirror/lang-json';
import { placeholder } from '@codemirror/view';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { config } from '../api/config';
import { CodeEditor } from '../design/code-editor';
import { TextField } from '../design/field';
import { readHeaders } from './identity';
import type { Identity } from './identity';

const language = [json(), placeholder('{ "X-Service-Language": "nl" }')];

/** Request headers, and a token that replaces the session. */
export function IdentityPane({
  identity,
  onChange,
}: {
  readonly identity: Identity;
  readonly onChange: (identity: Identity) => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { token, headers } = identity;
  const read = readHeaders(identity);
  return (
    <details
      className="explorer-identity"
      open={isOpen}
      onToggle={(toggled) => setOpen(toggled.currentTarget.open)}
      data-pane={isOpen ? 'headers' : undefined}
    >
      <summary>
        Headers and token: <span className="meta">{token.trim() === '' ? 'your session' : 'a pasted token'}</span>
      </summary>
      {isOpen && (
        <>
          <div className="explorer-headers">
            <CodeEditor
              label="Headers"
              text={headers}
              onChange={(next) => onChange({ token, headers: next })}
              extensions={language}
              nonce={config.nonce}
            />
          </div>
          <div className="explorer-token">
            {typeof read === 'string' && (
              <p className="field-error" role="alert">
                {read}
              </p>
            )}
            <TextField
              label="Token instead of your session"
              type="password"
              isCode
              value={token}
              onChange={(next) => onChange({ token: next, headers })}
              help="Kept in this page until you leave it, and sent only to the API."
            />
          </div>
        </>
      )}
    </details>
  );
}

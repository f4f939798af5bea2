import { json } from '@codemirror/lang-json';
import { Copy, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { config } from '../api/config';
import { Badge } from '../design/badge';
import { IconButton } from '../design/button';
import { CodeEditor } from '../design/code-editor';
import { formatNumber } from '../design/formats';
import { Empty } from '../design/panel';
import { duration } from '../design/time';
import { showToast } from '../design/toast';
import { saveFile } from '../parts/save-file';
import type { Result } from './call';
import { LineLink } from './price-panel';

/** The limit of characters that are displayed; the whole answer can be downloaded. */
const mostPainted = 1_000_000;
const language = json();
const mostErrors = 3;

/** The result: status, time, cost, and the JSON. */
export function ResultPanel({
  result,
  isRunning,
  onLine,
  runKeys,
}: {
  readonly result: Result | undefined;
  readonly isRunning: boolean;
  readonly onLine: (line: number) => void;
  readonly runKeys: string;
}): ReactNode {
  if (!result)
    return (
      <Empty title={isRunning ? 'Running …' : 'The response appears here.'}>
        {!isRunning && (
          <p className="muted">
            Run the query with <kbd>{runKeys}</kbd>.
          </p>
        )}
      </Empty>
    );
  const { text, errors, failure } = result;
  const painted = text.length > mostPainted ? text.slice(0, mostPainted) : text;
  return (
    <>
      <Head result={result} isRunning={isRunning} />
      {failure !== undefined && (
        <p className="result-fault" role="alert">
          {failure}
        </p>
      )}
      {errors.length > 0 && (
        <ul className="result-fault">
          {errors.slice(0, mostErrors).map(({ message, line }, index) => (
            <li key={index}>
              {line !== undefined && <LineLink line={line} onLine={onLine} text={`Line ${line}:`} />} {message}
            </li>
          ))}
          {errors.length > mostErrors && <li>And {errors.length - mostErrors} more below.</li>}
        </ul>
      )}
      {painted.length < text.length && (
        <p className="result-cut meta">
          The first {size(painted.length)} of {size(text.length)} are shown. Download it to see the rest.
        </p>
      )}
      {text !== '' && (
        <CodeEditor label="Response" text={painted} extensions={language} nonce={config.nonce} isReadOnly />
      )}
    </>
  );
}

function Head({ result, isRunning }: { readonly result: Result; readonly isRunning: boolean }): ReactNode {
  const { status, milliseconds, cost, expectedCost, left, errors, text, failure } = result;
  const isGood = failure === undefined && errors.length === 0;
  return (
    <div className="result-head">
      <p className="row number" role="status">
        <Badge tone={isGood ? 'good' : 'bad'}>
          {isRunning ? 'Running' : (status ?? 'No response')}
          {!isRunning && errors.length > 0 && ` · ${errors.length === 1 ? '1 error' : `${errors.length} errors`}`}
        </Badge>
        <span className="meta">{duration(milliseconds)}</span>
        {cost !== undefined && (
          <span className="meta">
            {cost === 1 ? '1 point' : `${formatNumber(cost)} points`}
            {expectedCost === cost && ', as estimated'}
          </span>
        )}
        {left?.points && left.requests && (
          <span className="meta">
            {formatNumber(left.points.remaining)} points and {formatNumber(left.requests.remaining)} requests left
          </span>
        )}
        {cost !== undefined && expectedCost !== undefined && expectedCost !== cost && (
          <Badge tone="warn">estimated as {expectedCost}</Badge>
        )}
      </p>
      {text !== '' && (
        <div className="result-actions">
          <IconButton label="Copy the response" onPress={() => copyText(text)}>
            <Copy aria-hidden size={18} strokeWidth={1.75} />
          </IconButton>
          <IconButton label="Download the response" onPress={() => saveFile('response.json', text, 'application/json')}>
            <Download aria-hidden size={18} strokeWidth={1.75} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showToast('Response copied.'),
    () => showToast('The browser blocked the copy.', 'bad'),
  );

const size = (characters: number): string =>
  characters < 1_000_000 ? `${Math.round(characters / 1_000)} KB` : `${(characters / 1_000_000).toFixed(1)} MB`;

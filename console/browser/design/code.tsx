import './code.css';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button';
import { Check, Copy } from 'lucide-react';

/** Copies a text and shows the result for a moment: copied, or refused by the browser. */
function useCopy(text: string): { readonly state: 'ready' | 'copied' | 'refused'; readonly copy: () => void } {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  return { state, copy };
}

const words = { ready: 'Copy', copied: 'Copied', refused: 'Not copied' };

/** Code to copy; `what` names it, such as "the curl command". */
export function Code({
  text,
  what,
  isWrapped = false,
  children = text,
}: {
  readonly text: string;
  readonly what: string;
  readonly isWrapped?: boolean;
  /** A formatted version of the text. */
  readonly children?: ReactNode;
}): ReactNode {
  const { state, copy } = useCopy(text);
  return (
    <div className={isWrapped ? 'code code-wrap' : 'code'}>
      <pre tabIndex={0} aria-label={what} role="region">
        {children}
      </pre>
      <Button onPress={copy}>
        {words[state]}
        <span className="visually-hidden"> {what}</span>
      </Button>
    </div>
  );
}

/** An id or address on one line with a copy button. */
export function CopyField({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const { state, copy } = useCopy(text);
  return (
    <span className="copy-field">
      <code>{text}</code>
      <IconButton label={state === 'ready' ? `Copy ${what}` : words[state]} onPress={copy}>
        {state === 'copied' ? <Check size={16} strokeWidth={1.75} /> : <Copy size={16} strokeWidth={1.75} />}
      </IconButton>
      <span className="visually-hidden" role="status">
        {state === 'ready' ? '' : words[state]}
      </span>
    </span>
  );
}

/**
 * A secret that is shown once: it takes the focus, and disappears when the reader confirms that it is stored. `file` is
 * the download's name.
 */
export function Secret({
  title,
  text,
  file,
  onStored,
}: {
  readonly title: string;
  readonly text: string;
  readonly file: string;
  readonly onStored: () => void;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { state, copy } = useCopy(text);
  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div className="secret" ref={box} tabIndex={-1} role="group" aria-label={title}>
      <p>
        <strong>{title}</strong> It is shown once: store it now.
      </p>
      <pre>{text}</pre>
      <div className="form-actions">
        <Button kind="primary" onPress={copy}>
          {words[state]}
        </Button>
        <a className="button" href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download={file}>
          Download
        </a>
        <Button onPress={onStored}>I have stored it</Button>
      </div>
      <span className="visually-hidden" role="status">
        {state === 'ready' ? '' : words[state]}
      </span>
    </div>
  );
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON with syntax highlighting; other text is shown as it is. */
export function Json({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  return (
    <Code text={text} what={what} isWrapped>
      {paint(pretty(text))}
    </Code>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function paint(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [token, quoted, colon, word] = match;
    parts.push(text.slice(end, match.index));
    const kind = quoted === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'text' : 'key';
    parts.push(
      <span key={match.index} className={`json-${kind}`}>
        {quoted ?? token}
      </span>,
      colon ?? '',
    );
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

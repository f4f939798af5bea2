import './explorer.css';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { placeholder } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';
import { useNavigate } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { config } from '../api/config';
import { explain, failureOf } from '../api/errors';
import { Button } from '../design/button';
import { CodeEditor } from '../design/code-editor';
import { ConfirmDialog } from '../design/dialog';
import { Banner, SkeletonRows } from '../design/panel';
import { Tabs } from '../design/tabs';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { Page } from '../frame/page';
import { DocsPanel } from './docs-panel';
import { DocumentTabs } from './document-tabs';
import { ExamplesPanel } from './examples-panel';
import { fixOf } from './fixes';
import { format } from './format';
import { ownIdentity } from './identity';
import { IdentityPane } from './identity-pane';
import { usePastCalls } from './past-calls';
import { PastCallsPanel } from './past-calls-panel';
import { PricePanel } from './price-panel';
import { goToLine, queryLanguage, showJudgement, updateSchema } from './query-language';
import type { DocsTarget } from './query-language';
import { judge, titleOf } from './question';
import type { Draft } from './question';
import { ResultPanel } from './result-panel';
import { useRun } from './run';
import { useSchema } from './schema';
import { ScopesLine } from './scopes-line';
import { draftOfAddress, fragmentOf, useDocuments } from './tabs-store';
import { Toolbar } from './toolbar';

const isMac = navigator.userAgent.includes('Mac');
const runKeys = isMac ? '⌘⏎' : 'Ctrl Enter';
const noErrors: readonly GraphQLError[] = [];
const findFaults = jsonParseLinter();
const variablesLanguage = [
  json(),
  placeholder('{ "first": 10 }'),
  linter((view) => (view.state.doc.length === 0 ? [] : findFaults(view))),
];

/** The GraphQL explorer, which prices a query while it is written. */
export function Explorer(): ReactNode {
  const { account } = useAccount();
  const documents = useDocuments();
  const { shown, change, open } = documents;
  const schema = useSchema(account);
  const [editor, setEditor] = useState<EditorView>();
  const [side, setSide] = useState('answer');
  const [trail, setTrail] = useState<readonly DocsTarget[]>([]);
  const [calls, addCall, clearCalls] = usePastCalls();
  const root = useRef<HTMLDivElement>(null);

  const settled = useDebounced(shown, 150);
  const judgement = useMemo(() => judge(settled, schema.data), [settled, schema.data]);
  const answer = judgement.kind === 'judged' ? judgement.answer : undefined;
  const errors = answer?.kind === 'refused' ? answer.errors : noErrors;
  const fix = useMemo(() => fixOf(errors, settled.query), [errors, settled.query]);
  const [identity, setIdentity] = useState(ownIdentity);
  const run = useRun({ draft: shown, schema: schema.data, identity, onCalled: addCall });

  useAddress(settled, open);
  useEffect(() => {
    if (editor) updateSchema(editor, schema.data);
  }, [editor, schema.data]);
  useEffect(() => {
    // The judgement is of an earlier text, so its positions would be wrong.
    if (editor?.state.doc.toString() !== settled.query) return;
    showJudgement(editor, answer?.breakdown ?? [], errors);
  }, [editor, answer, errors, settled.query]);

  const onLine = (line: number): void => void (editor && goToLine(editor, line));
  const onDocs = useEffectEvent((target: DocsTarget) => {
    setTrail((now) => [...now, target]);
    setSide('docs');
  });
  const [language] = useState(() => queryLanguage((target) => onDocs(target)));
  const start = (): void => {
    setSide('answer');
    run.start();
    // When the panes are stacked, the answer may be out of view.
    root.current?.querySelector('[data-pane=answer]')?.scrollIntoView({ block: 'nearest' });
  };
  const reformat = (): void => {
    const query = format(shown.query);
    if (query === undefined) showToast('Fix the syntax errors before formatting.', 'bad');
    else change({ query, variables: shown.variables, operation: shown.operation });
  };
  const openFromSide = (draft: Draft): void => {
    open(draft);
    editor?.focus();
  };
  useKeys(root, { start, reformat });

  return (
    <Page title="Explorer" isWide>
      <SchemaBanner schema={schema} />
      <div className="explorer" ref={root}>
        <div className="explorer-write">
          <DocumentTabs documents={documents} />
          <div className="explorer-query" data-pane="query">
            <CodeEditor
              key={shown.id}
              label="Query"
              text={shown.query}
              onChange={(query) => change({ query, variables: shown.variables, operation: shown.operation })}
              extensions={language}
              nonce={config.nonce}
              onReady={setEditor}
              help={
                <>
                  <span>Esc, then Tab leaves · F6 next pane</span>
                  <span>requests per line</span>
                </>
              }
            />
          </div>
          <div className="explorer-variables" data-pane="variables">
            <h2>Variables</h2>
            <CodeEditor
              key={shown.id}
              label="Variables"
              text={shown.variables}
              onChange={(variables) => change({ query: shown.query, variables, operation: shown.operation })}
              extensions={variablesLanguage}
              nonce={config.nonce}
            />
          </div>
          <IdentityPane identity={identity} onChange={setIdentity} />
          <Toolbar
            draft={shown}
            account={account}
            operations={judgement.kind === 'empty' ? [] : judgement.operations}
            chosen={judgement.kind === 'judged' ? judgement.chosen : undefined}
            isRunning={run.isRunning}
            runKeys={runKeys}
            onRun={start}
            onStop={run.stop}
            onFormat={reformat}
            onOperation={(operation) => change({ query: shown.query, variables: shown.variables, operation })}
          />
        </div>
        <div className="explorer-read" data-pane="answer">
          <PricePanel judgement={judgement} fix={fix} onFix={({ apply }) => change(apply(shown))} onLine={onLine} />
          {judgement.kind === 'judged' && judgement.document && schema.data && errors.length === 0 && (
            <ScopesLine
              document={judgement.document}
              operation={judgement.chosen?.name}
              schema={schema.data}
              title={titleOf(settled)}
            />
          )}
          <Tabs
            label="Response and docs"
            selected={side}
            onSelect={setSide}
            tabs={[
              {
                id: 'answer',
                label: 'Response',
                content: (
                  <ResultPanel result={run.result} isRunning={run.isRunning} onLine={onLine} runKeys={runKeys} />
                ),
              },
              {
                id: 'docs',
                label: 'Docs',
                content: schema.data ? (
                  <DocsPanel schema={schema.data} trail={trail} onTrail={setTrail} />
                ) : (
                  <SkeletonRows rows={4} />
                ),
              },
              { id: 'examples', label: 'Examples', content: <ExamplesPanel onOpen={openFromSide} /> },
              {
                id: 'history',
                label: 'History',
                content: <PastCallsPanel calls={calls} onOpen={openFromSide} onClear={clearCalls} />,
              },
            ]}
          />
        </div>
      </div>
      <ConfirmDialog
        title={`Run a mutation in ${account}?`}
        isOpen={run.isAsking}
        onClose={run.cancel}
        verb="Run it"
        onConfirm={run.confirm}
      >
        <p>It changes data in the account in your name. You are asked once per tab.</p>
      </ConfirmDialog>
    </Page>
  );
}

/** Why the schema is missing; queries can be written and run without it. */
function SchemaBanner({ schema }: { readonly schema: UseQueryResult<GraphQLSchema> }): ReactNode {
  const without = 'You can still run queries, without completion, checks and docs.';
  const waitsFor = schema.failureReason === null ? undefined : failureOf(schema.failureReason);
  if (waitsFor?.kind === 'too_fast')
    return (
      <Banner tone="warn" title="The schema is not available yet">
        <p>
          {waitsFor.message} The console retries automatically. {without}
        </p>
      </Banner>
    );
  if (schema.error === null) return null;
  return (
    <Banner
      tone="warn"
      title="The schema could not be loaded"
      actions={<Button onPress={() => void schema.refetch()}>Try again</Button>}
    >
      <p>
        {explain(schema.error)} {without}
      </p>
    </Banner>
  );
}

/** Keeps the document in the URL fragment, so that a reload or a link restores it; opens one that appears there. */
function useAddress(draft: Draft, open: (draft: Draft) => void): void {
  const navigate = useNavigate();
  const later = useDebounced(draft, 300);
  useEffect(() => {
    const hash = fragmentOf(later);
    // URLs have a length limit; local storage keeps the document anyway.
    if (hash.length > 30_000 || location.hash === `#${hash}`) return;
    void navigate({ to: '.', hash, replace: true, resetScroll: false, hashScrollIntoView: false });
  }, [later, navigate]);
  useEffect(() => {
    const listen = (): void => {
      const given = draftOfAddress();
      if (given) open(given);
    };
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, [open]);
}

/** Ctrl Enter runs, Shift Ctrl F formats, F6 goes to the next pane; these also work inside the editors. */
function useKeys(
  root: { readonly current: HTMLElement | null },
  { start, reformat }: { readonly start: () => void; readonly reformat: () => void },
): void {
  const act = useEffectEvent((event: KeyboardEvent): boolean => {
    const isModified = event.metaKey || event.ctrlKey;
    if (event.key === 'F6') focusNextPane(root.current, event.shiftKey ? -1 : 1);
    else if (isModified && event.key === 'Enter') start();
    else if (isModified && event.shiftKey && event.key.toLowerCase() === 'f') reformat();
    else return false;
    return true;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.target instanceof Element && event.target.closest('[role=dialog], [role=menu], [role=listbox]')) return;
      if (!act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);
}

function focusNextPane(root: HTMLElement | null, step: number): void {
  const panes = [...(root?.querySelectorAll<HTMLElement>('[data-pane]') ?? [])];
  const now = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(Math.max(now, step < 0 ? 0 : now) + step + panes.length) % panes.length];
  next?.querySelector<HTMLElement>('.cm-content, [role=tab][aria-selected=true]')?.focus();
}

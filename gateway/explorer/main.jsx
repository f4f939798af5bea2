import './workers';
import 'graphiql/style.css';
import './explorer.css';
import { GraphiQL } from 'graphiql';
import { buildClientSchema } from 'graphql';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createFetcher, loadSchema } from './call';
import { CallerForm } from './caller-form';
import { LimitsBar } from './limits-bar';

const stored = 'caller';
const nobody = { token: '', account: '' };
const firstQuery = `# Put a token and the account
# you work in into the fields above.
query First {
  me { id name }
  requests(first: 5) {
    totalCount
    nodes { id subject status }
  }
  rateLimit { cost remaining resetAt nodeCount }
}
`;

const readCaller = () => ({ ...nobody, ...JSON.parse(sessionStorage.getItem(stored) ?? '{}') });

function Explorer() {
  const [caller, setCaller] = useState(readCaller);
  const [limits, setLimits] = useState();
  const [schema, setSchema] = useState(null);
  const [problem, setProblem] = useState('');
  // A refusal before the caller is known says nothing of limits; the last ones stand.
  const told = useCallback((heard) => heard && setLimits(heard), []);
  const fetcher = useMemo(() => createFetcher(caller, told), [caller, told]);

  useEffect(() => {
    sessionStorage.setItem(stored, JSON.stringify(caller));
    setProblem('');
    if (!caller.token) return setSchema(null);
    let isCurrent = true;
    loadSchema(caller.token, told).then(
      (introspection) => isCurrent && setSchema(buildClientSchema(introspection)),
      ({ message }) => isCurrent && setProblem(message),
    );
    return () => {
      isCurrent = false;
    };
  }, [caller, told]);

  return (
    <>
      <header className="bar">
        <h1>GraphQL explorer</h1>
        <CallerForm caller={caller} onChange={setCaller} problem={problem} />
        <LimitsBar limits={limits} />
      </header>
      <main className="explorer">
        <GraphiQL
          fetcher={fetcher}
          schema={schema}
          initialQuery={firstQuery}
          shouldPersistHeaders={false}
          showPersistHeadersSettings={false}
        >
          <GraphiQL.Logo>GraphiQL</GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}

createRoot(document.getElementById('explorer')).render(<Explorer />);

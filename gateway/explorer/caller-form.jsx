import { useState } from 'react';

/** Whose token and which account: kept for this tab, gone when it is closed. */
export function CallerForm({ caller, onChange, problem }) {
  const [token, setToken] = useState(caller.token);
  const [account, setAccount] = useState(caller.account);
  const submit = (event) => {
    event.preventDefault();
    onChange({ token: token.trim(), account: account.trim() });
  };
  return (
    <form className="caller" onSubmit={submit} autoComplete="off">
      <label>
        Token
        <input
          type="password"
          name="token"
          value={token}
          placeholder="itsm_pat_…"
          spellCheck="false"
          autoComplete="off"
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <label>
        Account
        <input
          name="account"
          value={account}
          placeholder="wdc"
          spellCheck="false"
          autoComplete="off"
          autoCapitalize="none"
          onChange={(event) => setAccount(event.target.value)}
        />
      </label>
      <button type="submit">Use</button>
      {problem && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}

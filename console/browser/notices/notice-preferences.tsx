import './notices.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { graphql, run } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { queryOf, useDocument } from '../api/queries';
import { Checkbox } from '../design/field';
import { Banner, Panel } from '../design/panel';
import { Table } from '../design/table';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import { reasonInWords } from '../parts/notice-words';

const document = graphql(`
  query NoticePreferences {
    noticePreferences {
      mails
      kinds {
        kind
        bell
        mail
      }
    }
  }
`);

const choosing = graphql(`
  mutation ChooseNotices($input: NoticePreferencesUpdateInput!) {
    noticePreferencesUpdate(input: $input) {
      errors {
        message
      }
    }
  }
`);

type Preferences = NonNullable<ResultOf<typeof document>['noticePreferences']>;
type Preference = Preferences['kinds'][number];

const names = { bell: 'At the bell', mail: 'By mail' } as const;

/** In which ways the person is notified, for each reason. */
export function NoticePreferences(): ReactNode {
  const { account, session } = useAccount();
  const query = useDocument(document, {}, account);
  const mails = query.data?.data.noticePreferences?.mails;
  return (
    <Page
      crumbs={[{ label: 'Notices', to: `/accounts/${account}/notices` }]}
      title="Which notices you get"
      lead={
        mails === 'sent'
          ? `In ${session.account.name}. Mails go to ${session.person.primaryEmail}, a minute after the first notice of a record, if you have not read it by then.`
          : `In ${session.account.name}.`
      }
    >
      {mails === 'no_mail_server' && (
        <Banner title="This platform sends no mails: it has no mail server." tone="info" />
      )}
      {mails === 'unverified' && (
        <Banner
          title="You get no mails yet: your address is not verified. Your profile sends you a link."
          tone="warn"
        />
      )}
      <Panel title="Reasons" isFlush>
        <Fetched query={query} rows={7}>
          {({ data }) => <Rows kinds={data.noticePreferences?.kinds ?? []} />}
        </Fetched>
      </Panel>
    </Page>
  );
}

function Rows({ kinds }: { readonly kinds: readonly Preference[] }): ReactNode {
  return (
    <Table
      label="In which ways you are notified"
      rows={kinds}
      keyOf={({ kind }) => kind}
      columns={[
        { heading: 'Reason', isMain: true, cell: ({ kind }) => reasonInWords(kind) },
        { heading: names.bell, cell: (row) => <Way row={row} way="bell" /> },
        { heading: names.mail, cell: (row) => <Way row={row} way="mail" /> },
      ]}
    />
  );
}

function Way({ row, way }: { readonly row: Preference; readonly way: 'bell' | 'mail' }): ReactNode {
  const { account } = useAccount();
  const client = useQueryClient();
  // What was chosen is shown at once; undefined once the platform has it.
  const [chosen, setChosen] = useState<boolean>();
  const choose = async (isOn: boolean): Promise<void> => {
    const { kind, bell, mail } = row;
    setChosen(isOn);
    try {
      await run(choosing, { input: { kinds: [{ kind, bell, mail, [way]: isOn }] } }, account);
      await client.invalidateQueries({ queryKey: queryOf(document, {}, account).queryKey });
    } catch (error) {
      showToast(`Not changed: ${explain(error)}`, 'bad');
    } finally {
      setChosen(undefined);
    }
  };
  return (
    <Checkbox isSelected={chosen ?? row[way]} isDisabled={chosen !== undefined} onChange={(isOn) => void choose(isOn)}>
      <span className="visually-hidden">
        {names[way]}: {reasonInWords(row.kind)}
      </span>
    </Checkbox>
  );
}

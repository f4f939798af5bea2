import type { ReactNode } from 'react';
import { Button } from './button';
import { Banner } from './panel';

/** What was refused of several, each with its reason. */
export function Refusals({
  tone = 'warn',
  title,
  refusals,
  onClose,
}: {
  readonly tone?: 'warn' | 'good';
  readonly title: string;
  readonly refusals: readonly { readonly key: string; readonly link: ReactNode; readonly message: string }[];
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Banner tone={tone} title={title} actions={<Button onPress={onClose}>Close</Button>}>
      <ul>
        {refusals.map(({ key, link, message }) => (
          <li key={key}>
            {link}: {message.replace(/\.$/, '')}.
          </li>
        ))}
      </ul>
    </Banner>
  );
}

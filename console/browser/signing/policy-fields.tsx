import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { InputError } from '../design/input-error';
import { SettingFields } from '../parts/setting-fields';
import { toForm } from '../parts/settings';
import type { SettingForm } from '../parts/settings';

/** What is advised for a new policy. */
export const newPolicy = (type: TypeDescription): SettingForm => ({
  ...toForm(type),
  jwtClaimExpiresIn: '5',
  keyRotationDays: '90',
});

export const isShared = (form: SettingForm): boolean => String(form['jwtAlg']).startsWith('hs');

export function PolicyFields({
  isNew,
  form,
  ...rest
}: {
  readonly type: TypeDescription;
  readonly form: SettingForm;
  readonly onChange: (form: SettingForm) => void;
  readonly errors: readonly InputError[];
  readonly isNew: boolean;
}): ReactNode {
  const looks = {
    name: {
      isCode: true,
      ...(!isNew && {
        help: 'A new name changes the issuer at once. Receivers that check it reject deliveries until you update them.',
      }),
    },
    jwtAudience: { isCode: true },
  };
  return (
    <>
      <SettingFields form={form} isNew={isNew} looks={looks} {...rest} />
      {isShared(form) && (
        <p className="field-help">
          A shared secret is rotated only on request, because receivers cannot fetch the next one.
        </p>
      )}
    </>
  );
}

// The settings of a new or a present profile. What the platform finds wrong stands at the field it speaks of.
import { useEffect, useRef, useState } from 'react';
import { Form } from '../../../ui/form.tsx';
import { useSubmission } from '../../../ui/use-submission.ts';
import { AccountSection } from './account-section.tsx';
import { IssuingSection } from './issuing-section.tsx';
import { NameSection } from './name-section.tsx';
import { profileFields, type ProfileValues } from './profile-values.ts';
import type { SectionProps } from './section.ts';
import { TimesSection } from './times-section.tsx';
import { ValidationSection } from './validation-section.tsx';

export interface ProfileFormProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly initial: ProfileValues;
  readonly isNew: boolean;
  readonly cancelTo: string;
  /** Resolves to where to go next. */
  readonly onSave: (values: ProfileValues) => Promise<() => void>;
}

export function ProfileForm({ label, submitLabel, initial, isNew, cancelTo, onSave }: ProfileFormProps) {
  const [values, setValues] = useState(initial);
  const { isPending, refusal, problemOf, send } = useSubmission(profileFields);
  const fields = useRef<HTMLDivElement>(null);
  // The form is long: whoever is refused is brought to the first field that is at fault.
  useEffect(() => {
    if (refusal) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const section: SectionProps = {
    values,
    isNew,
    set: (field, value) => setValues((now) => ({ ...now, [field]: value })),
    errorOf: problemOf,
  };
  return (
    <Form
      label={label}
      submitLabel={submitLabel}
      cancelTo={cancelTo}
      isPending={isPending}
      isDirty={JSON.stringify(values) !== JSON.stringify(initial)}
      refusal={refusal}
      missing={isNew && values.name.trim() === '' ? 'It needs a name.' : undefined}
      onSubmit={() => send(() => onSave(values))}
    >
      <div ref={fields}>
        <NameSection {...section} />
        <IssuingSection {...section} />
        <AccountSection {...section} />
        <ValidationSection {...section} />
        <TimesSection {...section} />
      </div>
    </Form>
  );
}

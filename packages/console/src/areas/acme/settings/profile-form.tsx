// The settings of a new or a present profile. What the platform finds wrong stands at the field it speaks of.
import { useEffect, useRef, useState } from 'react';
import { Form } from '../../../ui/form.tsx';
import { useSubmission } from '../../../ui/use-submission.ts';
import type { Profile } from '../shapes.ts';
import { AccountSection } from './account-section.tsx';
import { AttributesSection } from './attributes-section.tsx';
import { useCertificateAttributes } from './certificate-attributes.ts';
import { IssuingSection } from './issuing-section.tsx';
import { NameSection } from './name-section.tsx';
import {
  newProfileValues,
  profileFields,
  valuesOf,
  type CertificateAttributes,
  type ProfileValues,
} from './profile-values.ts';
import type { SectionProps } from './section.ts';
import { TimesSection } from './times-section.tsx';
import { ValidationSection } from './validation-section.tsx';

export interface ProfileFormProps {
  readonly label: string;
  readonly submitLabel: string;
  /** Absent while it is being made. */
  readonly profile?: Profile;
  readonly cancelTo: string;
  /** Resolves to where to go next. */
  readonly onSave: (values: ProfileValues, attributes: CertificateAttributes) => Promise<() => void>;
}

export function ProfileForm({ label, submitLabel, profile, cancelTo, onSave }: ProfileFormProps) {
  const isNew = profile === undefined;
  const [initial] = useState(() => (profile ? valuesOf(profile) : newProfileValues));
  const [values, setValues] = useState(initial);
  const attributes = useCertificateAttributes(values.raProfileUuid, profile);
  const { isPending, refusal, problemOf, send } = useSubmission(profileFields, attributes);
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
      isDirty={attributes.isDirty || JSON.stringify(values) !== JSON.stringify(initial)}
      refusal={refusal}
      missing={
        isNew && values.name.trim() === ''
          ? 'It needs a name.'
          : attributes.isLoading
            ? 'The authority is asked what it needs…'
            : undefined
      }
      onSubmit={async () => (attributes.check() ? send(() => onSave(values, attributes.request())) : undefined)}
    >
      <div ref={fields}>
        <NameSection {...section} />
        <IssuingSection {...section} />
        <AccountSection {...section} />
        <ValidationSection {...section} />
        <TimesSection {...section} />
        <AttributesSection attributes={attributes} />
      </div>
    </Form>
  );
}

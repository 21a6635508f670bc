// How long orders live and how often clients ask.
import { DurationField } from '../../../ui/duration-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function TimesSection({ values, set, errorOf }: SectionProps) {
  return (
    <FormSection title="Times" description="The usual ones suit nearly everybody.">
      <DurationField
        label="An order ends after"
        description="If the client has not finished it by then, it places a new one."
        seconds={values.validity}
        error={errorOf('validity')}
        onChange={(seconds) => set('validity', seconds)}
      />
      <DurationField
        label="Clients ask again after"
        description="While a certificate is being issued"
        seconds={values.retryInterval}
        error={errorOf('retryInterval')}
        onChange={(seconds) => set('retryInterval', seconds)}
      />
    </FormSection>
  );
}

// The lifetime of orders and the polling interval.
import { DurationField } from '../../../ui/duration-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function TimesSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Time limits" description="The defaults suit most setups.">
      <DurationField
        label="Orders expire after"
        description="A client that has not finished by then must place a new order."
        seconds={values.validity}
        error={form.problemOf('validity')}
        onChange={(seconds) => form.set('validity', seconds)}
      />
      <DurationField
        label="Clients poll again after"
        description="While a certificate is being issued"
        seconds={values.retryInterval}
        error={form.problemOf('retryInterval')}
        onChange={(seconds) => form.set('retryInterval', seconds)}
      />
    </FormSection>
  );
}

// Form for a new or existing approval profile.
import { Checkbox, NumberInput } from '@mantine/core';
import type { ApprovalProfileDetailDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { formatHours } from '../approvals/texts.ts';
import { missingOf, newValues, requestOf, valuesOf } from './profile-values.ts';
import { StepsField } from './steps-field.tsx';

/** If `profile` is absent, the form creates a profile. */
export function ApprovalProfileForm({ profile }: { readonly profile?: ApprovalProfileDetailDto }) {
  const form = useObjectForm({
    what: 'approval profile',
    paths: paths.approvalProfiles,
    object: profile,
    start: profile ? valuesOf(profile) : newValues,
    create: (values) =>
      api.approvalProfiles.createApprovalProfile({
        // The API requires this value, but it has no effect.
        body: { name: values.name.trim(), enabled: true, ...requestOf(values) },
      }),
    update: (uuid, values) => api.approvalProfiles.editApprovalProfile({ params: { uuid }, body: requestOf(values) }),
    refresh: [['approvalProfiles']],
  });
  const { expiry, approvalSteps } = form.values;
  return (
    <ObjectForm form={form} missing={missingOf(form.values)}>
      <FormSection title="Approval profile">
        <NameField form={form} isNew={!profile} />
        <DescriptionField form={form} />
      </FormSection>
      <FormSection title="Steps" description="Steps are approved in order. A single rejection ends the request.">
        <StepsField
          steps={approvalSteps}
          error={form.problemOf('approvalSteps')}
          onChange={(steps) => form.set('approvalSteps', steps)}
        />
      </FormSection>
      <FormSection title="Rules">
        <NumberInput
          label="Time limit (hours)"
          description={`Requests that are not approved within ${formatHours(expiry)} are rejected.`}
          min={1}
          max={100_000}
          allowDecimal={false}
          maw="16rem"
          value={expiry}
          error={form.problemOf('expiry')}
          onChange={(value) => form.set('expiry', Number(value))}
        />
        <Checkbox
          label="Allow self-approval"
          description="Requesters can approve their own requests if a step includes them. Leave this off if two users must agree."
          {...form.flag('allowOwnApproval')}
        />
      </FormSection>
    </ObjectForm>
  );
}

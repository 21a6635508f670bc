// The fields of an RA profile, new or present: its own, and those that its authority defines.
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { BaseAttributeDto, RaProfileDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Form } from '../../ui/form.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { notify } from '../../ui/notices.tsx';
import { useSubmission } from '../../ui/use-submission.ts';

export interface RaProfileFormProps {
  readonly authorityUuid: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent while it is being made. */
  readonly profile?: RaProfileDto;
  /** The choice of the authority, of a new one. */
  readonly authorityField?: ReactNode;
  /** In place of the attributes while there are none to show. */
  readonly instead?: ReactNode;
}

interface OwnFields {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
}

export function RaProfileForm({ authorityUuid, definitions, profile, authorityField, instead }: RaProfileFormProps) {
  const start: OwnFields = {
    name: profile?.name ?? '',
    description: profile?.description ?? '',
    enabled: profile?.enabled ?? true,
  };
  const [own, setOwn] = useState(start);
  const attributes = useAttributeForm({
    source: authorityUuid ?? '',
    definitions,
    present: profile ? (profile.attributes ?? []) : undefined,
  });
  const submission = useSubmission(['name', 'description'], attributes);
  const queries = useQueryClient();
  const navigate = useNavigate();

  const save = async (): Promise<string> => {
    if (authorityUuid === undefined) throw new Error('There is no authority to save it at.');
    const { name, description, enabled } = own;
    const body = { description: description.trim(), enabled, attributes: attributes.request() };
    if (profile) {
      await api.raProfiles.editRaProfile({ params: { authorityUuid, raProfileUuid: profile.uuid }, body });
      return profile.uuid;
    }
    const made = await api.raProfiles.createRaProfile({
      params: { authorityUuid },
      body: { ...body, name: name.trim() },
    });
    return made.uuid;
  };
  const submit = async (): Promise<(() => void) | undefined> => {
    if (!attributes.check()) return undefined;
    const uuid = await submission.send(save);
    if (uuid === undefined) return undefined;
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    return () => {
      notify.done(profile ? `${own.name} was saved.` : `${own.name} was made.`);
      void navigate({ to: paths.raProfile(uuid) });
    };
  };

  return (
    <Form
      label={profile ? `Edit ${profile.name}` : 'New RA profile'}
      submitLabel={profile ? 'Save' : 'Create'}
      cancelTo={profile ? paths.raProfile(profile.uuid) : paths.raProfiles}
      isPending={submission.isPending}
      isDirty={attributes.isDirty || JSON.stringify(own) !== JSON.stringify(start)}
      refusal={submission.refusal}
      missing={
        authorityUuid === undefined
          ? 'Choose an authority first.'
          : own.name.trim() === ''
            ? 'It needs a name.'
            : undefined
      }
      onSubmit={submit}
    >
      <FormSection
        title="The profile"
        description={profile ? undefined : 'Who issues, and how people and programs call it.'}
      >
        {authorityField}
        <TextInput
          label="Name"
          description={
            profile
              ? 'It stands in addresses that programs use, and cannot be changed.'
              : 'It stands in addresses: letters, digits and - . _ ~'
          }
          required={!profile}
          readOnly={profile !== undefined}
          variant={profile ? 'unstyled' : 'default'}
          value={own.name}
          error={submission.problemOf('name')}
          onChange={(event) => setOwn({ ...own, name: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <Textarea
          label="Description"
          description="What it is for, for those who choose between profiles."
          autosize
          minRows={2}
          value={own.description}
          error={submission.problemOf('description')}
          onChange={(event) => setOwn({ ...own, description: event.currentTarget.value })}
        />
        <Checkbox
          label="Enabled"
          description="Certificates can be issued under it."
          checked={own.enabled}
          onChange={(event) => setOwn({ ...own, enabled: event.currentTarget.checked })}
        />
      </FormSection>
      {instead ?? <AttributeForm form={attributes} title="Conditions" />}
    </Form>
  );
}

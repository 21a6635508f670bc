// Form for a new or existing notification profile.
import { Checkbox, NumberInput, Radio, Select, Stack } from '@mantine/core';
import { MAX_FREQUENCY_HOURS, RecipientType, type NotificationProfileDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { notificationInstanceListQuery } from '../../queries/notification-instances.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { RecipientsPicker } from '../notifications/recipient-picker.tsx';
import { namedType } from '../notifications/recipient-types.ts';
import { recipientTexts, describeRepetition } from '../notifications/texts.ts';
import { missingOf, newValues, requestOf, valuesOf, type ProfileValues } from './profile-values.ts';

/** Absent for a new profile. */
interface EditedProfile {
  readonly profile?: NotificationProfileDetailDto | undefined;
}

interface FieldsProps extends EditedProfile {
  readonly form: ObjectFormModel<ProfileValues>;
}

export function NotificationProfileForm({ profile }: EditedProfile) {
  const form = useObjectForm({
    what: 'notification profile',
    paths: paths.notificationProfiles,
    object: profile,
    start: profile ? valuesOf(profile) : newValues,
    create: (values) =>
      api.notificationProfiles.createNotificationProfile({
        body: { name: values.name.trim(), ...requestOf(values) },
      }),
    update: (uuid, values) =>
      api.notificationProfiles.editNotificationProfile({ params: { uuid }, body: requestOf(values) }),
    refresh: [['notificationProfiles']],
  });
  return (
    <ObjectForm form={form} missing={missingOf(form.values)}>
      <FormSection title="Notification profile">
        <NameField form={form} isNew={!profile} />
        <DescriptionField form={form} />
      </FormSection>
      <FormSection title="Who is notified">
        <Recipients form={form} profile={profile} />
      </FormSection>
      <FormSection title="How">
        <Channels form={form} profile={profile} />
      </FormSection>
      <FormSection
        title="How often"
        description="For conditions that last, such as a certificate that is about to expire."
      >
        <RepetitionFields form={form} />
      </FormSection>
    </ObjectForm>
  );
}

function Recipients({ form, profile }: FieldsProps) {
  const { recipientType, recipientUuids } = form.values;
  const type = namedType(recipientType);
  const choose = (chosen: string): void => {
    form.set('recipientType', RecipientType.options.find((each) => each === chosen) ?? recipientType);
    form.set('recipientUuids', []);
  };
  return (
    <>
      <Radio.Group label="Recipients" value={recipientType} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {Object.entries(recipientTexts).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {type && (
        <RecipientsPicker
          type={type}
          values={recipientUuids}
          names={profile?.recipients ?? []}
          error={form.problemOf('recipientUuids')}
          onChange={(uuids) => form.set('recipientUuids', uuids)}
        />
      )}
    </>
  );
}

function Channels({ form, profile }: FieldsProps) {
  const mayList = useMayList()('notificationInstances');
  const { data = [] } = useQuery({ ...notificationInstanceListQuery, enabled: mayList });
  const { notificationInstanceUuid: chosen } = form.values;
  const named = profile?.notificationInstance;
  const others = named && !data.some(({ uuid }) => uuid === named.uuid) ? [named] : [];
  return (
    <>
      <Checkbox label="Deliver to the recipients' inbox" {...form.flag('internalNotification')} />
      <Select
        label="Notification provider"
        placeholder={mayList ? 'None' : 'No permission to list notification providers'}
        clearable
        searchable
        data={[...others, ...data].map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={chosen}
        error={form.problemOf('notificationInstanceUuid')}
        onChange={(value) => form.set('notificationInstanceUuid', value)}
      />
    </>
  );
}

function RepetitionFields({ form }: Pick<FieldsProps, 'form'>) {
  const { hours, repetitions } = form.values;
  const whole = { min: 1, allowDecimal: false, maw: '16rem' } as const;
  const numberOf = (value: string | number): number | null => (value === '' ? null : Number(value));
  return (
    <>
      <NumberInput
        {...whole}
        label="Repeat interval (hours)"
        description={hours === null ? 'Empty: notify once.' : `${describeRepetition(hours, repetitions ?? undefined)}.`}
        max={MAX_FREQUENCY_HOURS}
        value={hours ?? ''}
        error={form.problemOf('hours')}
        onChange={(value) => form.set('hours', numberOf(value))}
      />
      {hours !== null && (
        <NumberInput
          {...whole}
          label="Maximum notifications"
          description="Empty: no limit while the condition lasts."
          max={2_147_483_647}
          value={repetitions ?? ''}
          error={form.problemOf('repetitions')}
          onChange={(value) => form.set('repetitions', numberOf(value))}
        />
      )}
    </>
  );
}

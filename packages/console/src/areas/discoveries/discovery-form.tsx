// Fields of a new discovery: its name, the attributes that its connector defines, and its schedule.
import { Checkbox, Radio, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useMay } from '../../kit/use-may.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { kindCallback } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { expressionOf, initialSchedule, type ScheduleValues } from '../scheduled-jobs/forms.ts';
import { ScheduleFields } from '../scheduled-jobs/schedule-fields.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface DiscoveryFormProps {
  /** Absent until a kind is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  readonly kindField: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

interface Values {
  readonly name: string;
  readonly isScheduled: boolean;
  readonly oneTime: boolean;
  readonly schedule: ScheduleValues;
}

export function DiscoveryForm({ kind, definitions, kindField, instead }: DiscoveryFormProps) {
  const { when }: { readonly when?: 'scheduled' } = useSearch({ strict: false });
  const may = useMay();
  const start: Values = { name: '', isScheduled: when === 'scheduled', oneTime: false, schedule: initialSchedule };
  const form = useObjectForm({
    what: 'discovery',
    paths: paths.discoveries,
    object: undefined,
    start,
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: undefined,
          callBack: kind && kindCallback(kind),
        }),
        useCustomFields('discoveries', undefined),
      ),
    create: async ({ name, isScheduled, oneTime, schedule }, further) => {
      if (!kind) throw new Error('No discovery kind is selected.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: name.trim(), ...place, attributes: further.request(), ...further.custom.request() };
      if (!isScheduled) return api.discoveries.createDiscovery({ body });
      const cronExpression = expressionOf(schedule);
      const job = { jobName: body.name, cronExpression, oneTime, request: body };
      const { uuid } = await api.discoveries.scheduleDiscovery({ body: job });
      return { uuid, to: may(['jobs', 'detail', uuid]) ? paths.scheduledJobs.one(uuid) : paths.discoveries.list };
    },
    update: () => Promise.reject(new Error('Discoveries cannot be edited.')),
    refresh: [['discoveries'], ['jobs']],
  });
  const { isScheduled, schedule } = form.values;
  const hasTimes = !isScheduled || expressionOf(schedule) !== '';
  const missing = !kind ? 'Choose a kind first.' : hasTimes ? undefined : 'Choose a schedule first.';
  return (
    <ObjectForm form={form} missing={missing}>
      <FormSection title="Discovery">
        {kindField}
        <NameField form={form} isNew />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <FormSection title="Schedule">
        <Stack>
          <Radio.Group
            label="Run"
            value={isScheduled ? 'scheduled' : 'now'}
            onChange={(chosen) => form.set('isScheduled', chosen === 'scheduled')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="now" label="Now" />
              <Radio
                value="scheduled"
                label="On a schedule"
                description="Each run creates a discovery with this name and the time of the run, using your permissions at that time."
              />
            </Stack>
          </Radio.Group>
          {isScheduled && (
            <>
              <ScheduleFields values={schedule} onChange={(next) => form.set('schedule', next)} />
              <Checkbox label="Stop after the first successful run" {...form.flag('oneTime')} />
            </>
          )}
        </Stack>
      </FormSection>
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

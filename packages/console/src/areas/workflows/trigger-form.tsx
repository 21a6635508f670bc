// Form for a trigger: event, conditions, actions and assignment. The trigger's components are created implicitly.
import { Radio, Select, Stack } from '@mantine/core';
import { resourceEventFacts, type PlacedTrigger, type Resource } from '@signetry/contract';
import { NameField, DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { describeResource } from '../../format/resources.ts';
import { WORKFLOWS_KEY } from '../../queries/workflows.ts';
import { Panel } from '../../ui/panel.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { api } from '../../api/client.ts';
import { ConditionBlocks } from './condition-blocks.tsx';
import { AssignmentFields } from './assignment-fields.tsx';
import { findRemovedParts, removeUnused } from './remove-trigger.ts';
import { saveTrigger } from './save-trigger.ts';
import { StepFields } from './step-fields.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { filtersOf, keyOfScope, missingIn, resourceOf, type TriggerValues } from './trigger-values.ts';
import { SentenceText } from './sentence.tsx';
import { EVENTS, sentenceOfValues } from './texts.ts';
import classes from './workflows.module.css';

export interface TriggerFormProps {
  readonly start: TriggerValues;
  readonly trigger?: PlacedTrigger;
  readonly triggers: readonly PlacedTrigger[];
}

type Form = ObjectFormModel<TriggerValues>;

export function TriggerForm({ start, trigger, triggers }: TriggerFormProps) {
  const form: Form = useObjectForm<TriggerValues>({
    what: 'rule',
    paths: paths.automation,
    object: trigger,
    start,
    create: (values) => saveTrigger(values),
    update: async (uuid, values) => {
      await saveTrigger(values, trigger);
      const now = await api.workflowTriggers.getTrigger({ params: { triggerUuid: uuid } });
      if (trigger) await removeUnused(findRemovedParts(trigger, now));
    },
    refresh: [WORKFLOWS_KEY],
  });
  const { values } = form;
  const resource = trigger?.resource ?? resourceOf(values.event);
  return (
    <div className={classes.layout}>
      <ObjectForm form={form} missing={missingIn(values)}>
        <FormSection title="When" description="The event that triggers the rule.">
          <EventField form={form} trigger={trigger} />
        </FormSection>
        <FormSection title="Conditions" description="Uses the same fields and operators as list filters.">
          <ConditionBlocks
            resource={resource}
            blocks={values.blocks}
            onChange={(blocks) => form.set('blocks', blocks)}
          />
        </FormSection>
        <FormSection title="Actions" description="Steps run in this order.">
          <ThenFields form={form} />
        </FormSection>
        <FormSection title="Assignment" description="Where the rule applies.">
          <AssignmentFields
            event={values.event}
            places={values.places}
            triggers={triggers}
            own={trigger}
            onChange={(places) => form.set('places', places)}
          />
        </FormSection>
        <FormSection title="Name" description="The components of the rule are also named after it.">
          <NameField form={form} isNew={trigger === undefined} />
          <DescriptionField form={form} />
        </FormSection>
      </ObjectForm>
      <div className={classes.beside}>
        <SentencePanel values={values} resource={resource} />
        <TrialPanel
          resource={resource}
          event={values.event}
          of={{ filters: filtersOf(values) }}
          ignores={values.ignores}
        />
      </div>
    </div>
  );
}

/** Shows the entered rule as the text that will be displayed for it. */
const SentencePanel = ({ values, resource }: { readonly values: TriggerValues; readonly resource: Resource }) => (
  <Panel title="Summary">
    <SentenceText of={sentenceOfValues({ ...values, resource })} />
  </Panel>
);

function EventField({ form, trigger }: { readonly form: Form; readonly trigger: PlacedTrigger | undefined }) {
  const offered = EVENTS.filter(({ resource }) => trigger === undefined || resource === trigger.resource);
  const groups = [...Map.groupBy(offered, ({ resource }) => resource)];
  const { event, places } = form.values;
  return (
    <Select
      label="Event"
      required
      placeholder="Choose an event"
      data={groups.map(([resource, of]) => ({
        group: describeResource(resource),
        items: of.map(({ event: value, words }) => ({ value, label: words })),
      }))}
      value={event}
      error={form.problemOf('event')}
      onChange={(chosen) => {
        const next = offered.find((each) => each.event === chosen);
        if (!next || next.event === event) return;
        form.set('event', next.event);
        const holders = resourceEventFacts[next.event].overridingResources;
        form.set(
          'places',
          places.filter((place) => keyOfScope(place) === '' || holders.some((each) => each === place.resource)),
        );
        if (next.resource === resourceOf(event)) return;
        // Each type of object has different fields.
        form.set('blocks', []);
        form.set('steps', []);
        form.set('ignores', false);
      }}
    />
  );
}

function ThenFields({ form }: { readonly form: Form }) {
  const { event, ignores, steps } = form.values;
  const isDiscovered = event === 'certificate_discovered';
  return (
    <Stack gap="md">
      <Radio.Group
        aria-label="Actions"
        value={ignores ? 'ignore' : 'act'}
        onChange={(value) => form.set('ignores', value === 'ignore')}
      >
        <Stack gap="xs">
          <Radio value="act" label="Run these steps:" />
          {!ignores && (
            <StepFields resource={resourceOf(event)} steps={steps} onChange={(next) => form.set('steps', next)} />
          )}
          <Radio
            value="ignore"
            label={isDiscovered ? 'Exclude from the inventory' : 'Ignore'}
            description={
              isDiscovered
                ? 'The discovery still lists the certificate.'
                : 'Stops processing rules with the same assignment.'
            }
          />
        </Stack>
      </Radio.Group>
    </Stack>
  );
}

// Issues a certificate in a location: the key and CSR are generated there, and the certificate is installed there.
import type { BaseAttributeDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { paths, type LocationPath } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSubmission } from '../../kit/use-submission.ts';
import { csrDefinitionsQuery, locationQuery, type LocationDetail } from '../../queries/entities.ts';
import type { IssuingProfile } from '../../queries/ra-profiles.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RejectionCallout } from '../../ui/rejection.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { occupantOf } from '../entities/location-actions.tsx';
import { ReplacementNotice } from '../entities/replacement-notice.tsx';
import { CustomPanel } from './custom-panel.tsx';
import { useIssueAttributes } from './issue-attributes.ts';
import classes from './issue.module.css';
import { groupedProfiles, lastProfile, rememberProfile } from './last-profile.ts';
import { OptionsPanel } from './options-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SubmitRow } from './submit-row.tsx';
import { UsableProfiles } from './usable-profiles.tsx';

export function IssueAtLocationPage() {
  const { entityUuid = '', uuid: locationUuid = '' } = useParams({ strict: false });
  const place = { entityUuid, locationUuid };
  const definitions = useQuery(csrDefinitionsQuery(place));
  return (
    <QueryView of={useQuery(locationQuery(place))} what="the location">
      {(location) => (
        <Page
          title="Issue a certificate in a location"
          description={`The key is generated in ${location.name} (${location.entityInstanceName}) and stays there. The certificate is installed once it is issued.`}
          parent={{ to: paths.locations.of(entityUuid).one(locationUuid), label: location.name }}
        >
          <QueryView of={definitions} what="the CSR attributes" inPanel>
            {(definitions) => (
              <UsableProfiles>
                {(profiles) => <LocationIssueForm location={location} definitions={definitions} profiles={profiles} />}
              </UsableProfiles>
            )}
          </QueryView>
        </Page>
      )}
    </QueryView>
  );
}

interface LocationIssueFormProps {
  readonly location: LocationDetail;
  /** Attributes that the location requires to generate a CSR. */
  readonly definitions: readonly BaseAttributeDto[];
  readonly profiles: readonly IssuingProfile[];
}

function LocationIssueForm(props: LocationIssueFormProps) {
  const form = useLocationIssueForm(props);
  const { submission, further, options, request } = form;
  return (
    <form
      className={classes.step}
      noValidate
      aria-label={`Issue a certificate in ${props.location.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {form.guard}
      {form.replaced && <ReplacementNotice certificate={form.replaced} />}
      <ProfilePanel profiles={props.profiles} profile={form.profile} onChange={form.setProfile} />
      <Panel title="2. Key and CSR">
        <AttributeFields form={request} />
      </Panel>
      <OptionsPanel options={options} />
      <CustomPanel custom={further.custom} place={options.isShown ? 4 : 3} />
      <RejectionCallout refusal={submission.refusal} />
      <SubmitRow
        label="Issue certificate"
        isReady={!options.isLoading}
        isPending={submission.isPending}
        isMade={false}
      />
    </form>
  );
}

function useLocationIssueForm({ location, definitions, profiles }: LocationIssueFormProps) {
  const [chosen, setProfile] = useState<string>();
  const [first] = groupedProfiles(profiles, lastProfile()).flatMap((group) => group.profiles);
  const profile = profiles.find(({ uuid }) => uuid === chosen) ?? first;
  const options = useIssueAttributes(profile, { asksForNames: true });
  const request = useAttributeForm({ source: location.uuid, definitions });
  const others = withCustomFields(options.form, useCustomFields('certificates', undefined));
  const further = {
    ...others,
    isDirty: request.isDirty || others.isDirty,
    check: (): boolean => request.check() && others.check(),
    refuse: (problems: readonly string[]): readonly string[] => others.refuse(request.refuse(problems)),
  };
  const submission = useSubmission([], further);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { guard, release } = useUnsaved(further.isDirty, {
    question: 'Leave without issuing?',
    consequence: 'What you entered will be lost.',
  });
  const replaced = occupantOf(location);
  const place: LocationPath = { entityUuid: location.entityInstanceUuid, locationUuid: location.uuid };
  const submit = async (): Promise<void> => {
    if (!profile || options.isLoading || submission.isPending || !further.check()) return;
    const issued = await submission.send(() =>
      api.locations.issueCertificateToLocation({
        params: place,
        body: {
          raProfileUuid: profile.uuid,
          csrAttributes: request.request(),
          issueAttributes: options.form.request(),
          ...further.custom.request(),
          replace: replaced !== undefined,
        },
      }),
    );
    // The location reports failures that occur after issuance.
    await queries.invalidateQueries({ queryKey: ['locations'] });
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    if (!issued) return;
    rememberProfile(profile.uuid);
    notify.done(`A certificate was requested for ${location.name}.`);
    release();
    await navigate({ to: paths.locations.of(place.entityUuid).one(place.locationUuid) });
  };
  return { replaced, profile, setProfile, options, request, further, submission, guard, submit };
}

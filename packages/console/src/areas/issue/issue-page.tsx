// Issues a certificate in three steps: RA profile, key, options.
import { TagsInput, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import type { ClientCertificateSignRequestDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { shownName } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { useSubmission } from '../../kit/use-submission.ts';
import type { IssuingProfile } from '../../queries/ra-profiles.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RejectionCallout } from '../../ui/rejection.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { CustomPanel } from './custom-panel.tsx';
import { useIssueAttributes } from './issue-attributes.ts';
import classes from './issue.module.css';
import { KeySource, useKeySource, type KeySourceModel } from './key-source.tsx';
import { groupedProfiles, lastProfile, rememberProfile } from './last-profile.ts';
import { storeKey } from './generated-keys.ts';
import { asciiName, problemOfName, contentsFromNames } from './generate-key.ts';
import { OptionsPanel } from './options-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SubmitRow } from './submit-row.tsx';
import { csrAttributesFor } from './token-key.tsx';
import { UsableProfiles } from './usable-profiles.tsx';

export function IssuePage() {
  return (
    <Page
      title="Issue a certificate"
      description="For an existing key, a key in a token, or a key generated in this browser."
    >
      <UsableProfiles>{(profiles) => <IssueForm profiles={profiles} />}</UsableProfiles>
    </Page>
  );
}

interface IssueFormProps {
  readonly profiles: readonly IssuingProfile[];
}

function IssueForm({ profiles }: IssueFormProps) {
  const form = useIssueForm(profiles);
  const { keys, isMade, submission } = form;
  return (
    <form
      className={classes.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {form.guard}
      <ProfilePanel profiles={profiles} profile={form.profile} onChange={form.setProfile} />
      <Panel title="2. Key">
        <KeySource keys={keys} refusal={submission.problemOf('request')}>
          <NamesField names={form.names} onChange={form.setNames} />
        </KeySource>
      </Panel>
      <OptionsPanel options={form.options} />
      <CustomPanel custom={form.further.custom} place={form.options.isShown ? 4 : 3} />
      <RejectionCallout refusal={submission.refusal}>
        {form.refused && (
          <Text mt="xs">
            <Link to={paths.certificates.one(form.refused)}>Open the failed certificate</Link>
          </Text>
        )}
      </RejectionCallout>
      <SubmitRow label="Issue certificate" isReady={form.isReady} isPending={submission.isPending} isMade={isMade} />
    </form>
  );
}

function useIssueForm(profiles: readonly IssuingProfile[]) {
  const { raProfile: wanted }: { readonly raProfile?: string } = useSearch({ strict: false });
  const [chosen, setProfile] = useState(wanted);
  const [first] = groupedProfiles(profiles, lastProfile()).flatMap((group) => group.profiles);
  const profile = profiles.find(({ uuid }) => uuid === chosen) ?? first;
  const [names, setNames] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<string>();
  const keys = useKeySource();
  const isMade = keys.source === 'make';
  const asksForNames = keys.source !== 'paste';
  const options = useIssueAttributes(profile, { asksForNames });
  const further = withCustomFields(options.form, useCustomFields('certificates', undefined));
  const submission = useSubmission(asksForNames ? [] : ['request'], further);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { guard, release } = useUnsaved(
    names.length > 0 || keys.csr.trim() !== '' || keys.token.chosen !== undefined || further.isDirty,
    {
      question: 'Leave without issuing?',
      consequence: 'What you entered will be lost.',
    },
  );
  const isNamed = names.length > 0 && !names.some(problemOfName);
  const isReady = keys.isReady && !options.isLoading && (!asksForNames || isNamed);

  const issue = async (): Promise<string> => {
    if (!profile) throw new Error('Choose an RA profile first.');
    const attributes = { attributes: options.form.request(), ...further.custom.request() };
    return issueCertificate(profile, { keys, names, attributes }).catch((error: unknown) => {
      setRefused(rejectedCertificateOf(error));
      throw error;
    });
  };
  const submit = async (): Promise<void> => {
    setRefused(undefined);
    if (!isReady || submission.isPending || !further.check() || !keys.check()) return;
    const uuid = await submission.send(issue);
    if (uuid === undefined) return;
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    release();
    await navigate({ to: paths.certificates.issued(uuid) });
  };
  return {
    profile,
    setProfile,
    names,
    setNames,
    keys,
    isMade,
    options,
    further,
    submission,
    refused,
    guard,
    isReady,
    submit,
  };
}

interface IssueSpec {
  readonly keys: KeySourceModel;
  readonly names: readonly string[];
  readonly attributes: Pick<ClientCertificateSignRequestDto, 'attributes' | 'customAttributes'>;
}

/** Returns the UUID of the certificate; a key generated here is stored for the result page. */
async function issueCertificate(
  { uuid: raProfileUuid, authorityUuid }: IssuingProfile,
  { keys, names, attributes }: IssueSpec,
): Promise<string> {
  const { body, privateKey } = await keys.prepare(() => contentsFromNames(names));
  const wanted = 'keyUuid' in body ? { csrAttributes: csrAttributesFor(names) } : {};
  const { uuid } = await api.clientOperations.issueCertificate({
    params: { authorityUuid, raProfileUuid },
    body: { ...body, ...wanted, ...attributes },
  });
  rememberProfile(raProfileUuid);
  if (privateKey !== undefined) storeKey(uuid, privateKey);
  return uuid;
}

interface NamesFieldProps {
  readonly names: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function NamesField({ names, onChange }: NamesFieldProps) {
  const international = names.map(shownName).filter((shown, place) => shown !== names[place]);
  return (
    <TagsInput
      label="Names"
      description={[
        'Host names or IP addresses of the certificate. Press Enter or comma after each.',
        ...international,
      ].join(' ')}
      placeholder={names.length === 0 ? 'app.example.com' : undefined}
      value={[...names]}
      onChange={(value) => onChange(value.map((name) => asciiName(name.trim().toLowerCase())))}
      splitChars={[',', ' ', '\n']}
      error={names.map(problemOfName).find((problem) => problem !== undefined)}
      acceptValueOnBlur
    />
  );
}

/**
 * Returns the UUID of a certificate that the authority rejected and that the platform stored as failed, along with the
 * reason.
 */
function rejectedCertificateOf(error: unknown): string | undefined {
  const body = error instanceof ApiError ? error.body : undefined;
  const uuid: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'uuid') : undefined;
  return typeof uuid === 'string' ? uuid : undefined;
}

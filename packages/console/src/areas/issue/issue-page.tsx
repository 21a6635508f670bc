// A certificate in three answers: under which profile, for which key, and with which wishes.
import { Button, Group, Select, TagsInput, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { useIssueAttributes } from './issue-attributes.ts';
import classes from './issue.module.css';
import { Issued, type IssuedFiles } from './issued.tsx';
import { KeySource, useKeySource } from './key-source.tsx';
import { problemOfName, wantedFor } from './make-key.ts';
import { issuingProfilesQuery, type IssuingProfile } from './queries.ts';
import { Wishes } from './wishes.tsx';

const route = getRouteApi('/issue');

export function IssuePage() {
  const { raProfile } = route.useSearch();
  const { data: profiles, error, refetch } = useQuery(issuingProfilesQuery);
  const [issued, setIssued] = useState<IssuedFiles>();
  return (
    <Page
      title="Issue a certificate"
      description="For a key that you have, or for one that is made here and never leaves this browser."
    >
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !profiles ? (
        <Loading what="RA profiles" />
      ) : issued ? (
        <div className={classes.step}>
          <Issued files={issued} onAnother={() => setIssued(undefined)} />
        </div>
      ) : profiles.length === 0 ? (
        <Panel>
          <Empty
            title="There is nothing to issue with"
            action={
              <Button component={Link} to={paths.raProfiles}>
                Open RA profiles
              </Button>
            }
          >
            An enabled RA profile says which authority signs, and under which conditions.
          </Empty>
        </Panel>
      ) : (
        <IssueForm profiles={profiles} wanted={raProfile} onIssued={setIssued} />
      )}
    </Page>
  );
}

interface IssueFormProps {
  readonly profiles: readonly IssuingProfile[];
  readonly wanted: string | undefined;
  readonly onIssued: (files: IssuedFiles) => void;
}

function IssueForm({ profiles, wanted, onIssued }: IssueFormProps) {
  const [profileUuid, setProfile] = useState(
    profiles.find(({ uuid }) => uuid === wanted)?.uuid ?? profiles[0]?.uuid ?? '',
  );
  const [names, setNames] = useState<string[]>([]);
  const [refused, setRefused] = useState<string>();
  const keys = useKeySource();
  const queries = useQueryClient();
  const profile = profiles.find(({ uuid }) => uuid === profileUuid);
  const isMade = keys.source === 'make';
  const wishes = useIssueAttributes(profile, { asksForNames: isMade });
  const submission = useSubmission(isMade ? [] : ['request'], wishes.form);
  const { guard } = useUnsaved(names.length > 0 || keys.csr.trim() !== '' || wishes.form.isDirty, {
    question: 'Leave without issuing?',
    consequence: 'What you entered is lost when you leave.',
  });

  const nameProblem = names.map(problemOfName).find((problem) => problem !== undefined);
  const isReady = keys.isReady && !wishes.isLoading && (!isMade || (names.length > 0 && nameProblem === undefined));

  const issue = async (): Promise<IssuedFiles> => {
    if (!profile) throw new Error('Choose an RA profile first.');
    const { request, privateKey } = await keys.request(() => wantedFor(names));
    const { uuid } = await api.clientOperations
      .issueCertificate({
        params: { authorityUuid: profile.authorityUuid, raProfileUuid: profile.uuid },
        body: { request, attributes: wishes.form.request() },
      })
      .catch((error: unknown) => {
        setRefused(refusedObject(error));
        throw error;
      });
    return { uuid, privateKey };
  };
  const submit = async (): Promise<void> => {
    setRefused(undefined);
    if (!isReady || submission.isPending || !wishes.form.check()) return;
    const files = await submission.send(issue);
    if (!files) return;
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    onIssued(files);
  };

  return (
    <form
      className={classes.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {guard}
      <Panel title="1. Under which profile">
        <Select
          label="RA profile"
          description="It says which authority signs, for how long, and for what the certificate is good."
          data={profiles.map(({ uuid, name, authorityName }) => ({
            value: uuid,
            label: `${name} – signed by ${authorityName}`,
          }))}
          value={profileUuid}
          onChange={(value) => setProfile(value ?? '')}
          searchable={profiles.length > 8}
        />
        {profile?.description && (
          <Text size="sm" c="dimmed" mt="xs">
            {profile.description}
          </Text>
        )}
      </Panel>
      <Panel title="2. For which key">
        <KeySource keys={keys} refusal={isMade ? undefined : submission.problemOf('request')}>
          <TagsInput
            label="Names"
            description="Host names or IP addresses that the certificate is for. Enter or a comma ends each."
            placeholder={names.length === 0 ? 'app.example.com' : undefined}
            value={names}
            onChange={(value) => setNames(value.map((name) => name.trim().toLowerCase()))}
            splitChars={[',', ' ', '\n']}
            error={nameProblem}
            acceptValueOnBlur
          />
        </KeySource>
      </Panel>
      <Wishes wishes={wishes} />
      {submission.refusal && (
        <Callout tone="bad" title={submission.refusal.title} urgent>
          {submission.refusal.problems.join(' ')}
          {refused && (
            <Text mt="xs">
              <Link to={paths.certificate(refused)}>Open what was kept of it</Link>
            </Text>
          )}
        </Callout>
      )}
      <Group>
        <Button type="submit" size="md" disabled={!isReady} loading={submission.isPending}>
          Issue the certificate
        </Button>
        {submission.isPending && (
          <Text c="dimmed" role="status">
            {isMade ? 'Making the key and asking the authority…' : 'Asking the authority…'}
          </Text>
        )}
      </Group>
    </form>
  );
}

/** A refusal by the authority leaves a failed certificate object, which says why. */
function refusedObject(error: unknown): string | undefined {
  const body = error instanceof ApiError ? error.body : undefined;
  const uuid: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'uuid') : undefined;
  return typeof uuid === 'string' ? uuid : undefined;
}

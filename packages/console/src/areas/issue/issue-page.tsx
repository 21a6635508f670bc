// A certificate in three answers: under which profile, for which key, and with which wishes.
import { Button, Group, SegmentedControl, Select, Stack, TagsInput, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { Empty, Failure, Loading, wordsOf } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { CsrField } from './csr-field.tsx';
import { Issued, type IssuedFiles } from './issued.tsx';
import classes from './issue.module.css';
import { makeKey, problemOfName } from './make-key.ts';
import { issuingProfilesQuery, type IssuingProfile } from './queries.ts';
import { readCsr } from './read-csr.ts';
import { webKeyTypes, type WebKeyName } from './web-signatures.ts';

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
        <Issued files={issued} onAnother={() => setIssued(undefined)} />
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

type Source = 'make' | 'paste';

function IssueForm({ profiles, wanted, onIssued }: IssueFormProps) {
  const [profileUuid, setProfile] = useState(
    profiles.find(({ uuid }) => uuid === wanted)?.uuid ?? profiles[0]?.uuid ?? '',
  );
  const [source, setSource] = useState<Source>('make');
  const [names, setNames] = useState<string[]>([]);
  const [keyName, setKeyName] = useState<WebKeyName>('P-256');
  const [csr, setCsr] = useState('');
  const queries = useQueryClient();
  const profile = profiles.find(({ uuid }) => uuid === profileUuid);
  const isTouched = names.length > 0 || csr.trim() !== '';

  const issue = useMutation({
    mutationFn: async (): Promise<IssuedFiles> => {
      if (!profile) throw new Error('Choose an RA profile first.');
      const made = source === 'make' ? await makeKey(keyName, names) : undefined;
      const { uuid } = await api.clientOperations.issueCertificate({
        params: { authorityUuid: profile.authorityUuid, raProfileUuid: profile.uuid },
        body: { request: made?.request ?? csr, attributes: [] },
      });
      return { uuid, privateKey: made?.privateKey };
    },
    onSuccess: async (files) => {
      await queries.invalidateQueries({ queryKey: ['certificates'] });
      onIssued(files);
    },
  });
  const { guard } = useUnsaved(isTouched && !issue.isSuccess, {
    question: 'Leave without issuing?',
    consequence: 'What you entered is lost when you leave.',
  });

  const nameProblem = names.map(problemOfName).find((problem) => problem !== undefined);
  const read = csr.trim() === '' ? undefined : readCsr(csr);
  const isReady =
    source === 'make' ? names.length > 0 && nameProblem === undefined : read !== undefined && !('problem' in read);
  const refusal = issue.error instanceof ApiError ? issue.error : undefined;
  const aboutRequest = refusal?.message.startsWith('request: ') ? refusal.message.slice('request: '.length) : undefined;

  return (
    <form
      className={classes.step}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) issue.mutate();
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
        <Stack gap="md">
          <SegmentedControl
            aria-label="Where the key comes from"
            value={source}
            onChange={(value) => setSource(value as Source)} // one of the values below
            data={[
              { value: 'make', label: 'Make a key here' },
              { value: 'paste', label: 'I have a request' },
            ]}
          />
          {source === 'make' ? (
            <>
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
              <Select
                label="Key"
                data={Object.entries(webKeyTypes).map(([value, { label, about }]) => ({
                  value,
                  label: `${label} – ${about}`,
                }))}
                value={keyName}
                onChange={(value) => setKeyName(value as WebKeyName)} // one of the keys above
              />
              <Text size="sm" c="dimmed">
                The private key is made by this browser and offered to you as a file. It is never sent, and nobody can
                give it to you again.
              </Text>
            </>
          ) : (
            <CsrField text={csr} onChange={setCsr} refusal={aboutRequest} />
          )}
        </Stack>
      </Panel>
      {issue.error && aboutRequest === undefined && (
        <Callout tone="bad" title={wordsOf(issue.error).title} urgent>
          {wordsOf(issue.error).text}
          {refusedObject(refusal) && (
            <Text mt="xs">
              <Link to={paths.certificate(refusedObject(refusal) ?? '')}>Open what was kept of it</Link>
            </Text>
          )}
        </Callout>
      )}
      <Group>
        <Button type="submit" size="md" disabled={!isReady} loading={issue.isPending}>
          Issue the certificate
        </Button>
        {issue.isPending && (
          <Text c="dimmed" role="status">
            {source === 'make' ? 'Making the key and asking the authority…' : 'Asking the authority…'}
          </Text>
        )}
      </Group>
    </form>
  );
}

/** A refusal by the authority leaves a failed certificate object, which says why. */
function refusedObject(error: ApiError | undefined): string | undefined {
  const uuid = (error?.body as { readonly uuid?: unknown } | undefined)?.uuid;
  return typeof uuid === 'string' ? uuid : undefined;
}

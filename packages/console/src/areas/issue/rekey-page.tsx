// Another key for a certificate: its subject and names stay, and what comes of it is a certificate of its own.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { placeOf, type Place } from '../certificates/place.ts';
import { certificateQuery } from '../certificates/queries.ts';
import type { CertificateDetail } from '../certificates/shapes.ts';
import classes from './issue.module.css';
import { Issued, type IssuedFiles } from './issued.tsx';
import { KeySource, useKeySource } from './key-source.tsx';
import { wantedAgain } from './make-key.ts';

const route = getRouteApi('/certificates/$uuid/rekey');

export function RekeyPage() {
  const { uuid } = route.useParams();
  const { data: certificate, error, refetch } = useQuery(certificateQuery(uuid));
  const [made, setMade] = useState<IssuedFiles>();
  if (!certificate)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the certificate" />;
  const place = certificate.state === 'issued' ? placeOf(certificate) : undefined;
  return (
    <Page
      title={`Rekey ${titleOf(certificate)}`}
      description="Issues a certificate with the same subject for another key."
      parent={{ to: paths.certificate(uuid), label: titleOf(certificate) }}
    >
      {made ? (
        <div className={classes.step}>
          <Callout tone="none" title="The certificate of the old key is still valid">
            Put the new key and certificate in place, then{' '}
            <TextLink to={paths.certificate(uuid)} inSentence>
              revoke the old one
            </TextLink>
            .
          </Callout>
          <Issued files={made} />
        </div>
      ) : place ? (
        <RekeyForm certificate={certificate} place={place} onMade={setMade} />
      ) : (
        <Panel>
          <Empty title="This certificate cannot be rekeyed">
            Only certificates that are issued and belong to an RA profile can be.
          </Empty>
        </Panel>
      )}
    </Page>
  );
}

interface RekeyFormProps {
  readonly certificate: CertificateDetail;
  readonly place: Place;
  /** With a key that was made here, which has to be saved. */
  readonly onMade: (files: IssuedFiles) => void;
}

function RekeyForm({ certificate, place, onMade }: RekeyFormProps) {
  const keys = useKeySource();
  const isMade = keys.source === 'make';
  const submission = useSubmission(isMade ? [] : ['request']);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const unsaved = useUnsaved(keys.csr.trim() !== '', {
    question: 'Leave without rekeying?',
    consequence: 'What you entered is lost when you leave.',
  });

  const rekey = async (): Promise<IssuedFiles> => {
    const { request, privateKey } = await keys.request(() =>
      wantedAgain(Uint8Array.fromBase64(certificate.certificateContent ?? '')),
    );
    const { uuid } = await api.clientOperations.rekeyCertificate({
      params: { ...place, certificateUuid: certificate.uuid },
      body: { request },
    });
    return { uuid, privateKey };
  };
  const submit = async (): Promise<void> => {
    if (!keys.isReady || submission.isPending) return;
    const files = await submission.send(rekey);
    if (!files) return;
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    unsaved.release();
    if (files.privateKey !== undefined) return onMade(files);
    notify.done(`${titleOf(certificate)} has another key; this is its certificate.`);
    await navigate({ to: paths.certificate(files.uuid) });
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
      {unsaved.guard}
      <Panel title="What stays">
        <Stack gap="md">
          <Facts
            facts={[
              { name: 'Subject', value: certificate.subjectDn },
              {
                name: 'Names',
                value: Object.values(certificate.subjectAlternativeNames ?? {})
                  .flat()
                  .join('\n'),
              },
              { name: 'RA profile', value: certificate.raProfile?.name },
            ]}
          />
          <Text size="sm" c="dimmed">
            The present certificate stays valid with its own key until it expires or is revoked. Revoke it once the new
            one is in place, and at once when its key may be in wrong hands. To keep the key, renew instead.
          </Text>
        </Stack>
      </Panel>
      <Panel title="The new key">
        <KeySource keys={keys} refusal={isMade ? undefined : submission.problemOf('request')} />
      </Panel>
      {submission.refusal && (
        <Callout tone="bad" title={submission.refusal.title} urgent>
          {submission.refusal.problems.join(' ')}
        </Callout>
      )}
      <Group>
        <Button type="submit" size="md" disabled={!keys.isReady} loading={submission.isPending}>
          Rekey the certificate
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

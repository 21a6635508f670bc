// The certificate is there: its files, and where it is found again. A key that was made here is offered now or never.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconKey, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { notify } from '../../ui/notices.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { chainPem, fileNameOf, save, saveFile } from '../certificates/downloads.ts';
import { certificateQuery, isUnderWay } from '../certificates/queries.ts';
import { verdictOf } from '../certificates/state.tsx';
import { WhyNot } from '../certificates/why-not.tsx';
import { Pkcs12Dialog } from './pkcs12-dialog.tsx';

export interface IssuedFiles {
  readonly uuid: string;
  /** PKCS#8 in PEM, when the key was made here. */
  readonly privateKey: string | undefined;
}

export interface IssuedProps {
  readonly files: IssuedFiles;
  /** Leads back to the form, where there is one for further certificates. */
  readonly onAnother?: () => void;
}

export function Issued({ files, onAnother }: IssuedProps) {
  const { data: certificate, error, refetch } = useQuery(certificateQuery(files.uuid));
  const [isSaved, setSaved] = useState(false);
  const [isAsking, pkcs12] = useDisclosure();
  const mayLose = files.privateKey !== undefined && !isSaved;
  const { guard } = useUnsaved(mayLose, {
    question: 'Leave without the private key?',
    consequence: 'It exists in this page only. When you leave, it is gone, and the certificate is of no use.',
  });
  if (!certificate)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the certificate" />;
  return (
    <Panel title={isUnderWay(certificate.state) ? 'On its way' : titleOf(certificate)}>
      {guard}
      <Stack gap="lg" maw="44rem">
        {certificate.notBefore && certificate.notAfter && certificate.state === 'issued' ? (
          <ValidityBar
            notBefore={certificate.notBefore}
            notAfter={certificate.notAfter}
            tone={verdictOf(certificate).tone}
          />
        ) : (
          <WhyNot certificate={certificate} />
        )}
        {files.privateKey !== undefined && (
          <Callout
            tone={isSaved ? 'none' : 'warn'}
            title={isSaved ? 'The private key is saved' : 'Save the private key now'}
          >
            {isSaved
              ? 'Keep the file where only the server can read it.'
              : certificate.state === 'issued'
                ? 'It exists in this page only. When you leave, it is gone. Save it by itself, or as PKCS#12 together with the certificate.'
                : 'It exists in this page only. When you leave, it is gone.'}
          </Callout>
        )}
        <Group>
          {files.privateKey !== undefined && (
            <Button
              leftSection={<IconKey size={16} />}
              variant={isSaved ? 'default' : 'filled'}
              onClick={() => {
                saveFile(fileNameOf(certificate, '.key.pem'), new TextEncoder().encode(files.privateKey));
                setSaved(true);
              }}
            >
              Save the private key
            </Button>
          )}
          {files.privateKey !== undefined && certificate.state === 'issued' && (
            <>
              <Button leftSection={<IconPackage size={16} />} variant="default" onClick={pkcs12.open}>
                Save as PKCS#12
              </Button>
              <Pkcs12Dialog
                certificate={certificate}
                privateKey={files.privateKey}
                opened={isAsking}
                onClose={pkcs12.close}
                onSaved={() => setSaved(true)}
              />
            </>
          )}
          {certificate.state === 'issued' && (
            <Button
              leftSection={<IconDownload size={16} />}
              variant={files.privateKey !== undefined ? 'default' : 'filled'}
              onClick={() => void save(certificate, chainPem).catch(notify.failed)}
            >
              Save the certificate and its chain
            </Button>
          )}
          <Button component={Link} to={paths.certificate(files.uuid)} variant="default">
            Open it in the inventory
          </Button>
          {onAnother && (
            <Button variant="subtle" onClick={onAnother} disabled={mayLose}>
              Issue another
            </Button>
          )}
        </Group>
        {onAnother && mayLose && (
          <Text size="sm" c="dimmed">
            Another can be issued once the key is saved.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

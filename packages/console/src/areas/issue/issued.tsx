// The result of issuing: the files to save. A key that was generated here can only be saved now.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconKey, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { Callout } from '../../ui/callout.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { chainPem, fileNameOf, save, saveFile } from '../certificates/downloads.ts';
import { certificateQuery, isUnderWay } from '../../queries/certificates.ts';
import type { CertificateDetail } from '../certificates/shapes.ts';
import { verdictOf } from '../certificates/state.tsx';
import { WhyNot } from '../certificates/why-not.tsx';
import { Pkcs12Dialog } from './pkcs12-dialog.tsx';

export interface IssuedFiles {
  readonly uuid: string;
  /** PKCS#8 in PEM, if the key was generated here. */
  readonly privateKey: string | undefined;
}

export interface IssuedProps {
  readonly files: IssuedFiles;
  /** Returns to the form for another certificate; absent where there is none. */
  readonly onAnother?: () => void;
}

export function Issued({ files, onAnother }: IssuedProps) {
  const [isSaved, setSaved] = useState(false);
  const mayLose = files.privateKey !== undefined && !isSaved;
  const { guard } = useUnsaved(mayLose, {
    question: 'Leave without the private key?',
    consequence: 'It exists only on this page. Without it, the certificate is useless.',
  });
  return (
    <Reading of={useQuery(certificateQuery(files.uuid))} what="the certificate" inPanel>
      {(certificate) => (
        <Panel title={isUnderWay(certificate.state) ? 'Being issued' : titleOf(certificate)}>
          {guard}
          <Stack gap="lg" maw="44rem">
            <Validity certificate={certificate} />
            {files.privateKey !== undefined && <KeyNote isSaved={isSaved} isIssued={certificate.state === 'issued'} />}
            <Group>
              {files.privateKey !== undefined && (
                <SaveKey
                  certificate={certificate}
                  privateKey={files.privateKey}
                  isSaved={isSaved}
                  onSaved={() => setSaved(true)}
                />
              )}
              {certificate.state === 'issued' && (
                <Button
                  leftSection={<IconDownload size={16} />}
                  variant={files.privateKey === undefined ? 'filled' : 'default'}
                  onClick={() => void save(certificate, chainPem).catch(notify.failed)}
                >
                  Save the certificate and chain
                </Button>
              )}
              <Button component={Link} to={paths.certificates.one(files.uuid)} variant="default">
                Open in the inventory
              </Button>
              {onAnother && (
                <Button variant="subtle" onClick={onAnother} disabled={mayLose}>
                  Issue another
                </Button>
              )}
            </Group>
            {onAnother && mayLose && (
              <Text size="sm" c="dimmed">
                Save the key before you issue another certificate.
              </Text>
            )}
          </Stack>
        </Panel>
      )}
    </Reading>
  );
}

function Validity({ certificate }: { readonly certificate: CertificateDetail }) {
  const { notBefore, notAfter, state } = certificate;
  return notBefore && notAfter && state === 'issued' ? (
    <ValidityBar notBefore={notBefore} notAfter={notAfter} tone={verdictOf(certificate).tone} />
  ) : (
    <WhyNot certificate={certificate} />
  );
}

function KeyNote({ isSaved, isIssued }: { readonly isSaved: boolean; readonly isIssued: boolean }) {
  if (isSaved)
    return (
      <Callout tone="none" title="The private key is saved">
        Keep the file where only the server can read it.
      </Callout>
    );
  return (
    <Callout tone="warn" title="Save the private key now">
      It exists only on this page and is gone when you leave.
      {isIssued && ' Save it on its own, or as PKCS#12 together with the certificate.'}
    </Callout>
  );
}

interface SaveKeyProps {
  readonly certificate: CertificateDetail;
  readonly privateKey: string;
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

function SaveKey({ certificate, privateKey, isSaved, onSaved }: SaveKeyProps) {
  const [isAsking, pkcs12] = useDisclosure();
  return (
    <>
      <Button
        leftSection={<IconKey size={16} />}
        variant={isSaved ? 'default' : 'filled'}
        onClick={() => {
          saveFile(fileNameOf(certificate, '.key.pem'), new TextEncoder().encode(privateKey));
          onSaved();
        }}
      >
        Save the private key
      </Button>
      {certificate.state === 'issued' && (
        <>
          <Button leftSection={<IconPackage size={16} />} variant="default" onClick={pkcs12.open}>
            Save as PKCS#12
          </Button>
          <Pkcs12Dialog
            certificate={certificate}
            privateKey={privateKey}
            opened={isAsking}
            onClose={pkcs12.close}
            onSaved={onSaved}
          />
        </>
      )}
    </>
  );
}

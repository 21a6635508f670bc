// The result of issuance: the files to save. A key generated here can be saved only now.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload, IconKey, IconPackage } from '@tabler/icons-react';
import { writePem } from '@signetry/pki';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { useCopy } from '../../ui/copy.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { chainPem, fileNameOf, save, saveFile } from '../certificates/downloads.ts';
import type { CertificateDetail } from '../certificates/shapes.ts';
import { displayStateOf } from '../certificates/state.tsx';
import { FailureReason } from '../certificates/failure-reason.tsx';
import { discardKey, findKey } from './generated-keys.ts';
import { Pkcs12Dialog } from './pkcs12-dialog.tsx';

export interface IssuedCertificateProps {
  readonly certificate: CertificateDetail;
  /** Returns to the form to issue another certificate; absent if there is no form to return to. */
  readonly onAnother?: () => void;
}

export function IssuedCertificate({ certificate, onAnother }: IssuedCertificateProps) {
  const { uuid, state } = certificate;
  const [privateKey] = useState(() => findKey(uuid));
  const [isSaved, setSaved] = useState(false);
  const mayLose = privateKey !== undefined && !isSaved;
  const { guard } = useUnsaved(mayLose, {
    question: 'Leave without the private key?',
    consequence: 'The key exists only on this page. Without it, the certificate is useless.',
  });
  useDiscardKeyOnLeave(uuid);
  const isIssued = state === 'issued';
  return (
    <Panel title="Files">
      {guard}
      <Stack gap="lg" maw="44rem">
        <Names certificate={certificate} />
        <Validity certificate={certificate} />
        {privateKey !== undefined && <KeyNote isSaved={isSaved} isIssued={isIssued} />}
        <Group>
          {privateKey !== undefined && (
            <SaveKey
              certificate={certificate}
              privateKey={privateKey}
              isSaved={isSaved}
              onSaved={() => setSaved(true)}
            />
          )}
          {isIssued && (
            <Button
              leftSection={<IconDownload size={16} />}
              variant={privateKey === undefined ? 'filled' : 'default'}
              onClick={() => void save(certificate, chainPem).catch(notify.failed)}
            >
              Save certificate and chain
            </Button>
          )}
          {certificate.certificateContent !== undefined && <CopyPem base64={certificate.certificateContent} />}
          <Button component={Link} to={paths.certificates.one(uuid)} variant="default">
            Open in inventory
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
  );
}

/** Discards the private key when the user leaves the page. */
function useDiscardKeyOnLeave(uuid: string): void {
  useEffect(() => () => void discardKey(uuid), [uuid]);
}

function Names({ certificate }: { readonly certificate: CertificateDetail }) {
  const names = [...new Set(Object.values(certificate.subjectAlternativeNames ?? {}).flat())];
  if (names.length === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {names.length === 1 ? 'Name' : `${formatCount(names.length)} names`}
      </Text>
      <FoldedNames names={names} first={5} />
    </div>
  );
}

function CopyPem({ base64 }: { readonly base64: string }) {
  const { isCopied, copy, byHand } = useCopy(writePem('CERTIFICATE', Uint8Array.fromBase64(base64)));
  return (
    <>
      <Button
        variant="default"
        leftSection={isCopied ? <IconCheck size={16} aria-hidden="true" /> : <IconCopy size={16} aria-hidden="true" />}
        onClick={copy}
      >
        {isCopied ? 'Copied' : 'Copy PEM'}
      </Button>
      {byHand}
    </>
  );
}

function Validity({ certificate }: { readonly certificate: CertificateDetail }) {
  const { notBefore, notAfter, state } = certificate;
  return notBefore && notAfter && state === 'issued' ? (
    <ValidityBar notBefore={notBefore} notAfter={notAfter} tone={displayStateOf(certificate).tone} />
  ) : (
    <FailureReason certificate={certificate} />
  );
}

function KeyNote({ isSaved, isIssued }: { readonly isSaved: boolean; readonly isIssued: boolean }) {
  if (isSaved)
    return (
      <Callout tone="none" title="The private key is saved">
        Store the file where only the server can read it.
      </Callout>
    );
  return (
    <Callout tone="warn" title="Save the private key now">
      It exists only on this page and is lost when you leave.
      {isIssued && ' Save it separately, or together with the certificate as PKCS #12.'}
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
        Save private key
      </Button>
      {certificate.state === 'issued' && (
        <>
          <Button leftSection={<IconPackage size={16} />} variant="default" onClick={pkcs12.open}>
            Save as PKCS #12
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

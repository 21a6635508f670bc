// Exports a certificate with its private key from a token, as a file protected by a passphrase.
import { PasswordInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { MIN_EXPORT_PASSPHRASE, type KeyFileFormat } from '@signetry/contract';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { saveFile } from './downloads.ts';
import type { CertificateDetail } from './shapes.ts';

const formats: readonly { readonly value: KeyFileFormat; readonly label: string }[] = [
  { value: 'pkcs12', label: 'PKCS #12' },
  { value: 'jks', label: 'JKS' },
];

interface ExportDialogProps {
  readonly certificate: CertificateDetail;
  readonly onClose: () => void;
}

export function ExportDialog({ certificate, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<KeyFileFormat>('pkcs12');
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const isShort = passphrase.length < MIN_EXPORT_PASSPHRASE;
  const isDifferent = repeated !== '' && repeated !== passphrase;
  const toggle = (what: string) => ({ 'aria-label': `Show or hide the ${what}`, tabIndex: 0 });
  return (
    <FormDialog
      title={`Export ${titleOf(certificate)} with its private key`}
      submitLabel="Export"
      onClose={onClose}
      isReady={!isShort && repeated === passphrase}
      submit={async () => {
        const params = { uuid: certificate.uuid };
        const exported = await api.keyFiles.exportCertificateWithKey({ params, body: { format, passphrase } });
        saveFile(exported.fileName, Uint8Array.fromBase64(exported.content));
        notify.done(`${titleOf(certificate)} was exported with its private key.`);
      }}
    >
      <Stack>
        <Text>
          The file contains the private key, the certificate and its known issuers. Only keys that were created as
          exportable can be exported. The export is recorded in the audit log.
        </Text>
        <SegmentedControl
          aria-label="Format"
          data={[...formats]}
          value={format}
          onChange={(value) => setFormat(formats.find((each) => each.value === value)?.value ?? 'pkcs12')}
        />
        {format === 'jks' && (
          <Text size="sm">
            JKS files are only weakly protected. Use them only for software that cannot read PKCS #12, with a long
            random passphrase.
          </Text>
        )}
        <PasswordInput
          label="Passphrase"
          description={`At least ${MIN_EXPORT_PASSPHRASE} characters. Anyone who obtains the file can try passphrases without limit.`}
          required
          data-autofocus
          autoComplete="new-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
          visibilityToggleButtonProps={toggle('passphrase')}
        />
        <PasswordInput
          label="Repeat passphrase"
          required
          autoComplete="new-password"
          value={repeated}
          error={isDifferent ? 'The passphrases do not match.' : undefined}
          onChange={(event) => setRepeated(event.currentTarget.value)}
          visibilityToggleButtonProps={toggle('repeated passphrase')}
        />
      </Stack>
    </FormDialog>
  );
}

// Saves key, certificate and chain as one password-protected file. The file is created in the browser: neither key nor
// password is sent.
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Rejection } from '../../ui/rejection.tsx';
import type { CertificateDetail } from '../certificates/shapes.ts';

export interface Pkcs12DialogProps {
  readonly certificate: CertificateDetail;
  readonly privateKey: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function Pkcs12Dialog(props: Pkcs12DialogProps) {
  const { opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>Save as PKCS #12</Text>}>
      {/* Discards the password when the dialog is closed. */}
      {opened && <PasswordForm {...props} />}
    </Modal>
  );
}

function PasswordForm({ certificate, privateKey, onClose, onSaved }: Pkcs12DialogProps) {
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: async () => {
      const { savePkcs12 } = await import('./save-pkcs12.ts');
      await savePkcs12({ certificate, privateKey, password });
    },
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(password === '');
        if (password === '') field.current?.focus();
        else save.mutate();
      }}
    >
      <Stack>
        <Text>
          A single file with the private key, the certificate and its chain, for Windows, macOS, Java, browsers and
          appliances. The password is required to import it.
        </Text>
        <PasswordInput
          label="Password"
          description="Anyone who obtains the file can try passwords without limit, so choose a long one."
          required
          data-autofocus
          ref={field}
          autoComplete="new-password"
          value={password}
          error={isMissing ? 'Enter a password. Without one, anyone who has the file has the key.' : undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setMissing(false);
          }}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        />
        <Rejection error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save file
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

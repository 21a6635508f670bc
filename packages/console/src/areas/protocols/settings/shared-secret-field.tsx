// The secret shared by all of a profile's clients. A short secret can be guessed offline from a single recorded
// message, so the field can generate a random one. The secret can be copied only while the form is open.
import { Button, Group, PasswordInput } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { ApiError } from '@signetry/client';
import { isShortSecret, MIN_SHARED_SECRET_OCTETS, randomSharedSecret } from '@signetry/contract';
import { useState } from 'react';
import { Copy } from '../../../ui/copy.tsx';

export interface SharedSecretFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly disabled?: boolean;
  readonly onChange: (secret: string) => void;
}

export function SharedSecretField(props: SharedSecretFieldProps) {
  const { label, description, value, error, disabled = false, onChange } = props;
  const [isShown, setShown] = useState(false);
  const generate = (): void => {
    onChange(randomSharedSecret());
    setShown(true);
  };
  return (
    <Group gap="xs" align="flex-end">
      <PasswordInput
        flex="1 1 16rem"
        label={label}
        description={description}
        autoComplete="new-password"
        disabled={disabled}
        visible={isShown}
        onVisibilityChange={setShown}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {value !== '' && <Copy text={value} what={label} />}
      <Button variant="default" disabled={disabled} leftSection={<IconDice5 size={14} />} onClick={generate}>
        Generate
      </Button>
    </Group>
  );
}

/**
 * Throws if the secret is too short; the API itself would accept it. An empty value means that there is no secret or
 * that the current one is kept.
 */
export function assertLongSecret(field: string, secret: string): void {
  if (secret === '' || !isShortSecret(secret)) return;
  const problem = `${field}: must have at least ${MIN_SHARED_SECRET_OCTETS} bytes; generate a random one`;
  throw new ApiError(422, { message: problem, problems: [problem] });
}

// The users of an EST profile. Stored passwords are never shown.
import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

export interface UserValues {
  readonly username: string;
  /** Empty to keep the password of an existing user. */
  readonly password: string;
  readonly isKnown: boolean;
}

export interface UsersFieldProps {
  readonly users: readonly UserValues[];
  readonly error: string | undefined;
  readonly onChange: (users: readonly UserValues[]) => void;
}

export function UsersField({ users, error, onChange }: UsersFieldProps) {
  const change = (place: number, changed: Partial<UserValues>): void =>
    onChange(users.map((user, index) => (index === place ? { ...user, ...changed } : user)));
  return (
    <div role="group" aria-label="Users with a password">
      <Text size="sm" fw={650} mb={4}>
        Users with a password
      </Text>
      {users.map((user, index) => (
        // oxlint-disable-next-line no-array-index-key -- a user is its place: names are typed
        <Group key={index} gap="xs" mb="xs" align="flex-end">
          <TextInput
            flex="1 1 8rem"
            label="Username"
            readOnly={user.isKnown}
            value={user.username}
            onChange={(event) => change(index, { username: event.currentTarget.value })}
          />
          <PasswordInput
            flex="1 1 8rem"
            label="Password"
            placeholder={user.isKnown ? 'unchanged' : 'at least 12 characters'}
            autoComplete="new-password"
            value={user.password}
            onChange={(event) => change(index, { password: event.currentTarget.value })}
          />
          <Button
            variant="default"
            aria-label={`Remove user ${index + 1}`}
            onClick={() => onChange(users.filter((_, place) => place !== index))}
          >
            Remove
          </Button>
        </Group>
      ))}
      {error !== undefined && (
        <Text size="xs" c="var(--bad)" mb="xs">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...users, { username: '', password: '', isKnown: false }])}
      >
        Add user
      </Button>
    </div>
  );
}

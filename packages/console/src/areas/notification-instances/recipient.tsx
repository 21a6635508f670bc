// The recipient of a test or preview: a user, a group, a role, or none.
import { Select } from '@mantine/core';
import { RecipientPicker } from '../notifications/recipient-picker.tsx';
import { recipientTypes, type NamedType } from '../notifications/recipient-types.ts';

export interface Recipient {
  readonly type: NamedType | 'none';
  readonly uuid: string | null;
}

export const isComplete = ({ type, uuid }: Recipient): boolean => type === 'none' || uuid !== null;

export const requestOf = ({ type, uuid }: Recipient) =>
  type === 'none' || uuid === null ? {} : { [`${type}Uuid`]: uuid };

export interface RecipientFieldsProps {
  readonly recipient: Recipient;
  readonly onChange: (recipient: Recipient) => void;
}

export function RecipientFields({ recipient: { type, uuid }, onChange }: RecipientFieldsProps) {
  return (
    <>
      <Select
        label="Recipient"
        allowDeselect={false}
        data={[...recipientTypes, { value: 'none', label: 'No recipient (webhook only)' }]}
        value={type}
        onChange={(next) =>
          onChange({ type: recipientTypes.find(({ value }) => value === next)?.value ?? 'none', uuid: null })
        }
      />
      {type !== 'none' && (
        <RecipientPicker type={type} value={uuid} onChange={(next) => onChange({ type, uuid: next })} />
      )}
    </>
  );
}

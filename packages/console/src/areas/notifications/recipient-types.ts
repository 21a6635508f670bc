// Recipient types whose recipients are selected individually.

export const recipientTypes = [
  { value: 'user', label: 'User' },
  { value: 'group', label: 'Group' },
  { value: 'role', label: 'Role' },
] as const;

export type NamedType = (typeof recipientTypes)[number]['value'];

export const namedType = (type: string): NamedType | undefined =>
  recipientTypes.find(({ value }) => value === type)?.value;

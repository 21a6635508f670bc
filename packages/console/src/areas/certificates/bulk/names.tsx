// Names of the first selected certificates, for confirmation dialogs.
import { Text } from '@mantine/core';
import { formatCount, titleOf } from '../../../format/names.ts';
import type { BulkSelection } from './selection.ts';

const NAMED = 5;

export function Names({ of: { rows, beyond } }: { readonly of: BulkSelection }) {
  if (beyond) return 'The set is determined when you confirm; certificates that match later are not affected.';
  const rest = rows.length - NAMED;
  return (
    <Text span fw={600}>
      {rows.slice(0, NAMED).map(titleOf).join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}.
    </Text>
  );
}

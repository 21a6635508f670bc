// The first names of chosen certificates, in a question about them.
import { Text } from '@mantine/core';
import { formatCount, titleOf } from '../../../format/names.ts';
import type { Chosen } from './chosen.ts';

const NAMED = 5;

export function Names({ of: { rows, beyond } }: { readonly of: Chosen }) {
  if (beyond) return 'Which ones is decided when you confirm; those that come to match later are left alone.';
  const rest = rows.length - NAMED;
  return (
    <Text span fw={600}>
      {rows.slice(0, NAMED).map(titleOf).join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}.
    </Text>
  );
}

// Badge next to the menu entry with the number of approvals waiting for the user. It is hidden if there are none.
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../format/names.ts';
import { waitingCountQuery } from '../queries/approvals.ts';

export function WaitingCount() {
  const { data = 0 } = useQuery(waitingCountQuery);
  if (data === 0) return null;
  return (
    <Badge size="sm" variant="filled">
      {formatCount(data)}
      <span className="visually-hidden"> waiting for you</span>
    </Badge>
  );
}

// The profile in the address, which is below its token.
import { useParams } from '@tanstack/react-router';
import type { TokenProfilePlace } from '../../queries/tokens.ts';

export function useProfilePlace(): TokenProfilePlace {
  const { tokenUuid, uuid } = useParams({ strict: false });
  if (tokenUuid === undefined || uuid === undefined) throw new Error('The address of this page names no profile.');
  return { tokenUuid, uuid };
}

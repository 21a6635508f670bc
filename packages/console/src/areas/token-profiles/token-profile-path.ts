// Reads the token profile from the URL, where it is nested under its token.
import { useParams } from '@tanstack/react-router';
import type { TokenProfilePath } from '../../queries/tokens.ts';

export function useTokenProfilePath(): TokenProfilePath {
  const { tokenUuid, uuid } = useParams({ strict: false });
  if (tokenUuid === undefined || uuid === undefined)
    throw new Error('The URL of this page does not contain a token profile.');
  return { tokenUuid, uuid };
}

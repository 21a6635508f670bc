// Shows the console to users who are signed in, and to all others how to sign in.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { profileQuery } from '../api/session.ts';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Shell } from './shell.tsx';

const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }));

export function Gate() {
  const { data, error, refetch } = useQuery(profileQuery);
  if (isSignedOut(error))
    return (
      <Suspense fallback={<Skeleton what="Signetry" />}>
        <SignedOut />
      </Suspense>
    );
  if (data) return <Shell />;
  if (error === null) return <Skeleton what="Signetry" />;
  return <Failure error={error} retry={() => void refetch()} />;
}

// Shows the console to users who are signed in, and to all others how to sign in. Whoever was signed in keeps the page
// with all that was typed, under a dialog.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { profileQuery } from '../api/session.ts';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Shell } from './shell.tsx';

const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }));
const SessionEnded = lazy(async () => ({ default: (await import('./session-ended.tsx')).SessionEnded }));

export function Gate() {
  const { data, error, refetch } = useQuery(profileQuery);
  useReloadFor(data?.username);
  // The frame that stood there while the script was loaded (index.html).
  useLayoutEffect(() => {
    if (data || error) document.getElementById('first-paint')?.remove();
  }, [data, error]);
  if (data)
    return (
      <>
        <Shell />
        <Suspense>{isSignedOut(error) && <SessionEnded was={data.username} />}</Suspense>
      </>
    );
  if (isSignedOut(error))
    return (
      <Suspense fallback={<Skeleton what="Signetry" />}>
        <SignedOut />
      </Suspense>
    );
  if (error === null) return null;
  return <Failure error={error} retry={() => void refetch()} />;
}

/** Whatever is on the page belongs to the user who was signed in first. */
function useReloadFor(username: string | undefined): void {
  const first = useRef(username);
  useEffect(() => {
    first.current ??= username;
    if (username !== undefined && username !== first.current) location.reload();
  }, [username]);
}

// Shows the console to users who are signed in, and to all others how to sign in. Whoever was signed in keeps the page
// with all that was typed, under a dialog.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { profileQuery } from '../api/session.ts';
import { useIsMayPending } from '../kit/use-may.ts';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Shell } from './shell.tsx';

const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }));
const SessionEnded = lazy(async () => ({ default: (await import('./session-ended.tsx')).SessionEnded }));

export function Gate() {
  const { data, error, refetch } = useQuery(profileQuery);
  const isWaiting = useIsWaitingForRights();
  useReloadFor(data?.username);
  // The frame that stood there while the script was loaded (index.html).
  useLayoutEffect(() => {
    if ((data && !isWaiting) || error) document.getElementById('first-paint')?.remove();
  }, [data, error, isWaiting]);
  if (data && isWaiting) return null;
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

/** As long as the frame stands, nobody misses the page; from then on it is drawn without what needs rights. */
const WAIT_MS = 500;

/** The permissions were asked for together with the profile: what is drawn with both does not change at once. */
function useIsWaitingForRights(): boolean {
  const isPending = useIsMayPending();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}

/** Whatever is on the page belongs to the user who was signed in first. */
function useReloadFor(username: string | undefined): void {
  const first = useRef(username);
  useEffect(() => {
    first.current ??= username;
    if (username !== undefined && username !== first.current) location.reload();
  }, [username]);
}

// Shows the console to signed-in users and sign-in instructions to everyone else. If a session ends, the page stays
// open behind a dialog and keeps everything that the user has entered.
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
  useReloadOnUserChange(data?.username);
  // Removes the placeholder that index.html shows while the script is loading.
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

/**
 * Maximum wait for permissions while the placeholder is shown. After that, the page is rendered without the elements
 * that require permissions.
 */
const WAIT_MS = 500;

/**
 * Returns whether to keep waiting for the permissions. They are requested together with the profile; rendering once
 * both are available avoids a visible change.
 */
function useIsWaitingForRights(): boolean {
  const isPending = useIsMayPending();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}

/** Reloads the page if a different user signs in, because its content belongs to the previous user. */
function useReloadOnUserChange(username: string | undefined): void {
  const first = useRef(username);
  useEffect(() => {
    first.current ??= username;
    if (username !== undefined && username !== first.current) location.reload();
  }, [username]);
}

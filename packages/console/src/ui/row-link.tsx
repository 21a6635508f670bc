// A link in a row. Links of the router are updated on every navigation to tell whether they are active, which is slow
// for a thousand rows; this one only navigates, and preloads the page when it is hovered or focused.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { rememberOpened } from './row-return.ts';

export interface RowLinkProps {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function RowLink({ to, className, children }: RowLinkProps) {
  const router = useRouter();
  const prepare = (): void => void router.preloadRoute({ to }).catch(() => undefined); // shown when the page is opened
  const go = (event: MouseEvent): void => {
    // Opens in a new tab or window: left to the browser.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    rememberOpened(router.state.location.state.__TSR_key, to);
    void router.navigate({ to });
  };
  return (
    <a href={to} className={className} onClick={go} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  );
}

// Link in a row. Router links are updated on every navigation to determine whether they are active, which is slow for a
// thousand rows. This link only navigates, and preloads the page on hover or focus.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { rememberOpenedRow } from './row-return.ts';

export interface RowLinkProps {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function RowLink({ to, className, children }: RowLinkProps) {
  const router = useRouter();
  // Preload errors are shown when the page is opened.
  const preload = (): void => void router.preloadRoute({ to }).catch(() => undefined);
  const go = (event: MouseEvent): void => {
    // Clicks that open a new tab or window are left to the browser.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    rememberOpenedRow(router.state.location.state.__TSR_key, to);
    void router.navigate({ to });
  };
  return (
    <a href={to} className={className} onClick={go} onPointerEnter={preload} onFocus={preload}>
      {children}
    </a>
  );
}

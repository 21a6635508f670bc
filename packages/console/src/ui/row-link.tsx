// A link in a row. The router's own looks at every change of the address to tell whether it leads to where one is,
// which a thousand rows need not; this one only goes there, and asks for the page when the pointer or the keyboard
// comes near.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

export interface RowLinkProps {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function RowLink({ to, className, children }: RowLinkProps) {
  const router = useRouter();
  const prepare = (): void => void router.preloadRoute({ to }).catch(() => undefined); // whoever goes there is told
  const go = (event: MouseEvent): void => {
    // In a new tab or window: that is the browser's.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to });
  };
  return (
    <a href={to} className={className} onClick={go} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  );
}

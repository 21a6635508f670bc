// Short messages about completed actions, announced by screen readers. Only one is shown at a time, and errors stay
// until closed. They never cover controls: they appear below the menu or, on narrow screens, below the page, which
// reserves space for them.
import { CloseButton, Text } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import classes from './notices.module.css';
import { describeError } from './outcomes.tsx';

export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

const SHOWN_MS = 6_000;
let current: Notice | undefined;
const listeners = new Set<() => void>();

function set(notice: Notice | undefined): void {
  current = notice;
  listeners.forEach((listener) => listener());
}

export const notify = {
  done: (text: string): void => set({ tone: 'good', text }),
  failed: (error: unknown): void => {
    const { title, text } = describeError(error);
    set({ tone: 'bad', text: `${title}: ${text}` });
  },
};

export function Notices() {
  const notice = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  useEffect(() => {
    if (notice?.tone !== 'good') return;
    const timer = setTimeout(() => set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const height = notice ? (place.current?.offsetHeight ?? 0) : 0;
    document.documentElement.style.setProperty('--notice-height', `${height}px`);
  }, [notice]);
  return (
    <div ref={place} className={classes.place} role="status" aria-live="polite">
      {notice && (
        <div className={classes.notice} data-tone={notice.tone}>
          <Text size="sm">{notice.text}</Text>
          <CloseButton size="sm" aria-label="Close message" onClick={() => set(undefined)} />
        </div>
      )}
    </div>
  );
}

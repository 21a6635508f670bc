// Open state that can be changed from any component.
import { useSyncExternalStore } from 'react';

export interface OpenState {
  readonly open: () => void;
  readonly close: () => void;
  /** Undefined until opened for the first time, so that the content is not loaded earlier. */
  readonly useIsOpen: () => boolean | undefined;
}

export function createOpenState(): OpenState {
  let isOpen: boolean | undefined;
  const listeners = new Set<() => void>();
  const set = (next: boolean): void => {
    isOpen = next;
    listeners.forEach((listener) => listener());
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    open: () => set(true),
    close: () => set(false),
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  };
}

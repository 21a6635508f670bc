// Changes the user's notifications and refetches the displayed ones.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NOTIFICATIONS_KEY } from '../../queries/notifications.ts';
import { notify } from '../../ui/notices.tsx';

export interface InboxChange {
  readonly isPending: boolean;
  /** Shows the message `done` on completion. Omit it if the change is visible on the page. */
  readonly run: (work: () => Promise<unknown>, done?: string) => void;
}

export function useInboxChange(): InboxChange {
  const queries = useQueryClient();
  const { isPending, mutate } = useMutation({
    mutationFn: async ({
      work,
      done,
    }: {
      readonly work: () => Promise<unknown>;
      readonly done: string | undefined;
    }) => {
      await work();
      await queries.invalidateQueries({ queryKey: [...NOTIFICATIONS_KEY] });
      if (done !== undefined) notify.done(done);
    },
    onError: notify.failed,
  });
  return { isPending, run: (work, done) => mutate({ work, done }) };
}

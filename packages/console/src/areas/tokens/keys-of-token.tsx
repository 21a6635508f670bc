// Shows how many keys a token has, and imports keys that were created outside the platform.
import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useMay } from '../../kit/use-may.ts';
import { keyFilter } from '../../queries/key-search.ts';
import { keyCountQuery, keyListQuery } from '../../queries/keys.ts';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';

export interface KeysOfTokenProps {
  readonly token: { readonly uuid: string; readonly name: string; readonly isReachable: boolean };
}

export function KeysOfToken({ token }: KeysOfTokenProps) {
  const { uuid, name, isReachable } = token;
  const mayList = useMayList()('keys');
  const may = useMay();
  const filters = [keyFilter('CK_TOKEN_INSTANCE', [name])];
  const count = useQuery({ ...keyCountQuery({ filters }), enabled: mayList });
  if (!mayList) return null;
  const maySync =
    isReachable &&
    may([
      ['keys', 'create'],
      ['tokens', 'detail', uuid],
    ]);
  return (
    <Panel title="Keys" actions={maySync && <SyncButton token={token} filters={filters} />}>
      <QueryView of={count} what="the number of keys">
        {(items) =>
          items === 0 ? (
            <Text c="dimmed">No known keys.</Text>
          ) : (
            <Anchor component={Link} to={paths.keys.list} search={{ filters } as never}>
              {formatCount(items)} {items === 1 ? 'key' : 'keys'}
            </Anchor>
          )
        }
      </QueryView>
    </Panel>
  );
}

interface SyncButtonProps extends KeysOfTokenProps {
  readonly filters: readonly ReturnType<typeof keyFilter>[];
}

/**
 * Imports keys. The operation returns no content, so the number of imported keys is calculated from the counts before
 * and after.
 */
function SyncButton({ token: { uuid, name }, filters }: SyncButtonProps) {
  const queries = useQueryClient();
  const countKeys = async (): Promise<number> => (await queries.fetchQuery(keyListQuery({ filters }, 1))).totalItems;
  const run = useMutation({
    mutationFn: async () => {
      const before = await countKeys();
      await api.keys.syncKeys({ params: { tokenInstanceUuid: uuid } });
      await queries.invalidateQueries({ queryKey: ['keys'] });
      return (await countKeys()) - before;
    },
    onSuccess: (added) =>
      notify.done(
        added === 0
          ? `All keys in ${name} are already known to the platform.`
          : `${formatCount(added)} ${added === 1 ? 'key was' : 'keys were'} found in ${name}, and can be used once enabled under a token profile.`,
      ),
    onError: notify.failed,
  });
  return (
    <Button size="compact-sm" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
      Synchronize
    </Button>
  );
}

// Actions for a token.
import { Stack, Text } from '@mantine/core';
import type { TokenInstanceDetailDto, TokenProfileDto } from '@signetry/contract';
import { IconLockOpen, IconPlugConnectedX } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { tokenQuery } from '../../queries/tokens.ts';
import { Callout } from '../../ui/callout.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ActivateDialog } from './activate-dialog.tsx';

export interface TokenActionsProps {
  readonly token: TokenInstanceDetailDto;
  /** Token profiles of this token. */
  readonly profiles: readonly TokenProfileDto[];
}

export function TokenActions({ token, profiles }: TokenActionsProps) {
  const { uuid, name, connectorUuid, status } = token;
  const isReachable = connectorUuid !== undefined;
  return (
    <Actions
      actions={[
        isReachable && status.status !== 'Activated' && activateAction(token),
        isReachable && status.status !== 'Deactivated' && deactivateAction(token),
        isReachable && editAction(paths.tokens.edit(uuid), ['tokens', 'update', uuid]),
        removeAction({
          name,
          needs: ['tokens', 'delete', uuid],
          remove: () => api.tokens.deleteTokenInstance({ params: { uuid } }),
          consequence: <RemovalConsequence profiles={profiles} />,
          list: paths.tokens.list,
          queryKey: tokenQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

const activateAction = ({ uuid, name, status }: TokenInstanceDetailDto): Action => ({
  label: 'Activate',
  icon: IconLockOpen,
  isPrimary: status.status === 'Deactivated',
  needs: ['tokens', 'activate', uuid],
  dialog: ({ opened, onClose }) => opened && <ActivateDialog token={{ uuid, name }} onClose={onClose} />,
});

const deactivateAction = ({ uuid, name }: TokenInstanceDetailDto): Action => ({
  label: 'Deactivate',
  icon: IconPlugConnectedX,
  needs: ['tokens', 'activate', uuid],
  run: () => api.tokens.deactivateTokenInstance({ params: { uuid } }),
  done: `${name} is deactivated.`,
  refresh: ['tokens'],
  ask: {
    title: `Deactivate ${name}?`,
    keep: 'Keep active',
    children:
      'Its keys cannot sign, verify, encrypt or decrypt, and no keys can be created in it, until it is activated again. Objects that sign with its keys, such as authorities, stop working. Keys and certificates are not changed.',
  },
});

function RemovalConsequence({ profiles }: Pick<TokenActionsProps, 'profiles'>) {
  return (
    <Stack gap="sm">
      {profiles.length > 0 && (
        <Callout tone="warn" title="The token has token profiles">
          Remove them first:{' '}
          {profiles.map(({ uuid, name, tokenInstanceUuid }, place) => (
            <span key={uuid}>
              {place > 0 && ', '}
              <TextLink to={paths.tokenProfiles.of(tokenInstanceUuid).one(uuid)} inSentence>
                {name}
              </TextLink>
            </span>
          ))}
        </Callout>
      )}
      <Text>
        The token is also removed from its connector. The keys of a software token are deleted: existing signatures can
        still be verified, but nothing can be signed or decrypted with these keys again. The keys remain listed here,
        without a token. This cannot be undone.
      </Text>
    </Stack>
  );
}

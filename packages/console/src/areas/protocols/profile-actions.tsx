// Actions for a protocol profile.
import { Actions, type LinkAction, type RunAction } from '../../kit/actions.tsx';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { PROTOCOLS_KEY, type ProtocolProfile } from '../../queries/protocols.ts';
import type { Protocol } from './protocol.ts';

export const switchProfile = (protocol: Protocol, { uuid, name, enabled }: ProtocolProfile): RunAction =>
  switchAction({
    name,
    enabled,
    needs: protocol.rights.enable(uuid),
    enable: () => protocol.enable(uuid),
    disable: () => protocol.disable(uuid),
    consequence:
      'Its clients cannot obtain or renew certificates until it is enabled again. Issued certificates stay valid.',
    refresh: PROTOCOLS_KEY,
  });

/** Action for a profile without a URL. */
export const chooseRaProfile = ({ paths, rights }: Protocol, uuid: string): LinkAction => ({
  label: 'Choose RA profile',
  isPrimary: true,
  needs: rights.update(uuid),
  to: paths.edit(uuid),
});

export function ProfileActions({
  protocol,
  profile,
}: {
  readonly protocol: Protocol;
  readonly profile: ProtocolProfile;
}) {
  const { uuid, name } = profile;
  const { id, label, paths, rights, remove, removeByForce } = protocol;
  return (
    <Actions
      actions={[
        editAction(paths.edit(uuid), rights.update(uuid)),
        switchProfile(protocol, profile),
        removeAction({
          name,
          needs: rights.remove(uuid),
          remove: () => remove(uuid),
          consequence: `Its clients can no longer obtain or renew certificates over ${label}. Issued certificates stay valid and remain in the inventory. This cannot be undone.`,
          ...(removeByForce && {
            force: {
              reason: `RA profiles use it for ${label}`,
              consequence: `These RA profiles stop serving ${label} but are otherwise unchanged.`,
              remove: () => removeByForce(uuid),
            },
          }),
          list: paths.list,
          queryKey: [...PROTOCOLS_KEY, id, 'one', uuid],
        }),
      ]}
    />
  );
}

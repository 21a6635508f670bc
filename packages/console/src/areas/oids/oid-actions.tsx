// What can be done with an object identifier.
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { oidQuery, type OidEntry } from '../../queries/oids.ts';

export function OidActions({ entry: { oid, name, category } }: { readonly entry: OidEntry }) {
  return (
    <Actions
      actions={[
        editAction(paths.oids.edit(oid), ['oids', 'update']),
        removeAction({
          name,
          needs: ['oids', 'delete'],
          remove: () => api.oids.deleteCustomOidEntry({ params: { oid } }),
          consequence:
            category === 'rdnAttributeType'
              ? 'Subjects and issuers that have it are written with the number again, in the background, and people can no longer enter its codes.'
              : 'Certificates that have it show the number again.',
          list: paths.oids.list,
          queryKey: oidQuery(oid).queryKey,
        }),
      ]}
    />
  );
}

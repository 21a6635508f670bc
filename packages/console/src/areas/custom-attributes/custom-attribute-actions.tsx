// Custom attribute actions.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { customAttributeQuery, customAttributeUseQuery } from '../../queries/custom-attributes.ts';
import { Callout } from '../../ui/callout.tsx';
import type { CustomAttributeDetail } from './shapes.ts';
import { describeUsage } from './texts.ts';

export function CustomAttributeActions({ attribute }: { readonly attribute: CustomAttributeDetail }) {
  const { uuid, name, enabled } = attribute;
  const params = { uuid };
  return (
    <Actions
      actions={[
        editAction(paths.customAttributes.edit(uuid), ['attributes', 'update', uuid]),
        switchAction({
          name,
          enabled,
          needs: ['attributes', 'enable', uuid],
          enable: () => api.customAttributes.enableCustomAttribute({ params }),
          disable: () => api.customAttributes.disableCustomAttribute({ params }),
          consequence:
            'It is no longer shown in forms. Existing values are kept and can be changed once it is enabled again.',
          refresh: ['customAttributes'],
        }),
        removeAction({
          name,
          needs: ['attributes', 'delete', uuid],
          remove: () => api.customAttributes.deleteCustomAttribute({ params }),
          consequence: <RemovalConsequence uuid={uuid} />,
          list: paths.customAttributes.list,
          queryKey: customAttributeQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

function RemovalConsequence({ uuid }: { readonly uuid: string }) {
  const use = useQuery({ ...customAttributeUseQuery(uuid), refetchOnMount: 'always' });
  return (
    <Stack gap="sm">
      <QueryView of={use} what="the number of objects with a value">
        {({ objects }) =>
          objects === 0 ? (
            <Text>{describeUsage(objects)}</Text>
          ) : (
            <Callout tone="warn" title={describeUsage(objects)}>
              {objects === 1 ? 'This value will also be deleted.' : 'These values will also be deleted.'}
            </Callout>
          )
        }
      </QueryView>
      <Text>This cannot be undone. To remove it from forms and keep the values, disable it instead.</Text>
    </Stack>
  );
}

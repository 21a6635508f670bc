// Page for a single object identifier: its meaning, and the certificates that contain it.
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateCountQuery } from '../../queries/certificates.ts';
import { oidQuery, type OidEntry } from '../../queries/oids.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { inSubject, listOf } from '../certificates/filters.ts';
import { describeCategory, describeUsage } from './texts.ts';

export function OidPage() {
  const mayList = useMayList();
  return (
    <ObjectPage
      query={useQuery(oidQuery(useUuid()))}
      what="the object identifier"
      parent={{ to: paths.oids.list, label: 'Object identifiers' }}
      description={({ description }) => description}
      actions={(entry) => <OidActions entry={entry} />}
      main={(entry) => <Meaning entry={entry} />}
      side={(entry) =>
        entry.additionalProperties && mayList('certificates') && <Certificates code={entry.additionalProperties.code} />
      }
    />
  );
}

function Meaning({ entry }: { readonly entry: OidEntry }) {
  const { oid, category, additionalProperties: own } = entry;
  return (
    <Panel title="Meaning">
      <Facts
        facts={[
          { name: 'Identifier', value: oid, code: true, copy: oid },
          { name: 'Category', value: describeCategory(category) },
          { name: 'Code', value: own?.code, code: true },
          { name: 'Alternative codes', value: own?.altCodes?.join(', '), code: true },
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {describeUsage(category)}
      </Text>
    </Panel>
  );
}

function Certificates({ code }: { readonly code: string }) {
  const search = listOf([inSubject(`${code}=`)]);
  return (
    <Panel title="Certificates">
      <QueryView of={useQuery(certificateCountQuery(search))} what="the certificates with this attribute">
        {(count) =>
          count === 0 ? (
            <Text c="dimmed">No subject in the inventory contains it.</Text>
          ) : (
            <Anchor component={Link} to={paths.certificates.list} search={search as never} inherit>
              {count === 1
                ? 'The subject of one certificate contains it'
                : `Subjects of ${formatCount(count)} certificates contain it`}
            </Anchor>
          )
        }
      </QueryView>
    </Panel>
  );
}

function OidActions({ entry: { oid, name, category } }: { readonly entry: OidEntry }) {
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
              ? 'Subjects and issuers that contain it are rewritten with the number in the background, and its codes are no longer accepted as input.'
              : 'Certificates that contain it then show its number.',
          list: paths.oids.list,
          queryKey: oidQuery(oid).queryKey,
        }),
      ]}
    />
  );
}

// Page for a single key: its items with their usages, a panel for testing the key, and the objects that use it.
import { Stack, Text } from '@mantine/core';
import type { KeyAssociationDto, KeyDetailDto, KeyItemDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { formatDateTime } from '../../format/dates.ts';
import { describeResource } from '../../format/resources.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { keyExportabilityQuery, keyQuery } from '../../queries/keys.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Compliance } from '../compliance-results/result-panel.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { ItemPanel } from './item-panel.tsx';
import { KeyActions } from './key-actions.tsx';
import { isDestroyed, ItemState } from './state.tsx';
import { TryOut } from './try-out.tsx';

export function KeyPage() {
  return (
    <ObjectPage
      query={useQuery(keyQuery(useUuid()))}
      what="the key"
      parent={{ to: paths.keys.list, label: 'Keys' }}
      mark={(key) => <MainState of={key} />}
      description={({ description }) => description}
      actions={(key) => <KeyActions of={key} />}
      main={(key) => <Main of={key} />}
      side={(key) => <Side of={key} />}
    />
  );
}

interface KeyProps {
  readonly of: KeyDetailDto;
}

/** The private or secret item comes first. */
const order: Readonly<Record<KeyItemDetailDto['type'], number>> = { Private: 0, Secret: 0, Split: 0, Public: 1 };
const sortItems = (items: readonly KeyItemDetailDto[]): readonly KeyItemDetailDto[] =>
  items.toSorted((one, other) => order[one.type] - order[other.type]);

function MainState({ of: { items } }: KeyProps) {
  const [main] = sortItems(items);
  return main && <ItemState item={main} />;
}

function Main({ of: key }: KeyProps) {
  const { uuid, attributes, customAttributes } = key;
  return (
    <>
      <UnusableNotice of={key} />
      {sortItems(key.items).map((item) => (
        <ItemPanel key={item.uuid} item={item} of={key} />
      ))}
      <Compliance of={{ resource: 'keys', objectUuid: uuid }} />
      <TryOut of={key} />
      {attributes.length > 0 && (
        <Panel title="Created with">
          <AttributeFacts values={attributes} />
        </Panel>
      )}
      <CustomValues resource="keys" uuid={uuid} values={customAttributes} refresh={['keys']} />
    </>
  );
}

/** Explains why the key cannot be used, unless the states of its items already explain it. */
function UnusableNotice({ of: { items, tokenInstanceUuid, tokenProfileUuid } }: KeyProps) {
  if (items.every(isDestroyed)) return null;
  if (tokenInstanceUuid === undefined)
    return (
      <Callout tone="bad" title="The token was removed">
        The key cannot be used. Its record is kept.
      </Callout>
    );
  if (tokenProfileUuid !== undefined) return null;
  return (
    <Callout tone="warn" title="Not assigned to a token profile">
      The key cannot be used. Edit it and choose a token profile of its token.
    </Callout>
  );
}

function Side({ of: key }: KeyProps) {
  return (
    <>
      <Panel title="Used by">
        <Associations associations={key.associations ?? []} />
      </Panel>
      <Panel title="About">
        <About of={key} />
      </Panel>
    </>
  );
}

const pageOf: Partial<Record<KeyAssociationDto['resource'], (uuid: string) => string>> = {
  certificates: paths.certificates.one,
  authorities: paths.authorities.one,
};

/** Objects grouped by type; objects that the user cannot list are shown without a link. */
function Associations({ associations }: { readonly associations: readonly KeyAssociationDto[] }) {
  const mayList = useMayList();
  if (associations.length === 0) return <Text c="dimmed">No known object uses this key.</Text>;
  const byResource = [...Map.groupBy(associations, ({ resource }) => resource)];
  return (
    <Facts
      facts={byResource.map(([resource, users]) => ({
        name: describeResource(resource),
        value: (
          <Stack gap={2} component="span">
            {users.map(({ uuid, name }) => {
              const to = mayList(resource) ? pageOf[resource]?.(uuid) : undefined;
              return to === undefined ? (
                <span key={uuid}>{name}</span>
              ) : (
                <TextLink key={uuid} to={to}>
                  {name}
                </TextLink>
              );
            })}
          </Stack>
        ),
      }))}
    />
  );
}

function About({ of: key }: KeyProps) {
  const { uuid, tokenInstanceUuid, tokenProfileUuid, owner, groups = [], creationTime } = key;
  const mayList = useMayList();
  const { data } = useQuery(keyExportabilityQuery(uuid));
  return (
    <Facts
      facts={[
        {
          name: 'Token',
          value:
            tokenInstanceUuid === undefined ? (
              'Removed'
            ) : mayList('tokens') ? (
              <TextLink to={paths.tokens.one(tokenInstanceUuid)}>{key.tokenInstanceName}</TextLink>
            ) : (
              key.tokenInstanceName
            ),
        },
        {
          name: 'Token profile',
          value:
            tokenInstanceUuid === undefined || tokenProfileUuid === undefined ? (
              'none'
            ) : mayList('tokenProfiles') ? (
              <TextLink to={paths.tokenProfiles.of(tokenInstanceUuid).one(tokenProfileUuid)}>
                {key.tokenProfileName}
              </TextLink>
            ) : (
              key.tokenProfileName
            ),
        },
        { name: 'Owner', value: owner ?? 'none' },
        { name: 'Groups', value: groups.length === 0 ? 'none' : groups.map(({ name }) => name).join(', ') },
        { name: 'Export', value: data ? (data.exportable ? 'Allowed with permission' : 'Never') : '' },
        { name: 'Created', value: formatDateTime(creationTime) },
        identifierFact(uuid),
      ]}
    />
  );
}

// Certificates of a location, with their deployment states and actions.
import { Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDate } from '../../format/dates.ts';
import { capitalize, colonPairs, titleOf } from '../../format/names.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { useMay } from '../../kit/use-may.ts';
import { certificateQuery } from '../../queries/certificates.ts';
import {
  deploymentQuery,
  type DeployedCertificate,
  type Deployment,
  type LocationDetail,
} from '../../queries/entities.ts';
import { breakAtColons } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './held-certificates.module.css';
import { installActions, locationPathOf } from './location-actions.tsx';
import { requiredLocationRights } from './location-path.ts';
import { DeploymentState, meaningOf } from './state.tsx';

interface HeldCertificatesProps {
  readonly location: LocationDetail;
  readonly deployment: Deployment;
}

export function HeldCertificates({ location, deployment: { certificates } }: HeldCertificatesProps) {
  return (
    <Panel title={location.supportMultipleEntries ? 'Certificates' : 'Certificate'}>
      {certificates.length === 0 ? (
        <NoCertificate location={location} />
      ) : (
        <ul className={classes.list}>
          {certificates.map((held) => (
            <HeldCertificate
              key={held.certificateUuid}
              location={location}
              held={held}
              isOneOfFew={certificates.length <= FEW}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function NoCertificate({ location }: Pick<HeldCertificatesProps, 'location'>) {
  const { enabled, supportKeyManagement } = location;
  const next = enabled && (
    <Group gap="xs" justify="center">
      <Actions actions={installActions(location)} />
    </Group>
  );
  return (
    <Empty title="No certificate installed" action={next}>
      {!enabled
        ? 'The location is disabled. Enable it to install a certificate.'
        : supportKeyManagement
          ? 'The key is generated here, and the certificate is installed once it is issued.'
          : 'Push a certificate from the inventory to install it here.'}
    </Empty>
  );
}

/**
 * Maximum number of certificates for which the validity is shown, because it is fetched separately for each
 * certificate.
 */
const FEW = 10;

interface HeldCertificateProps {
  readonly location: LocationDetail;
  readonly held: DeployedCertificate;
  readonly isOneOfFew: boolean;
}

function HeldCertificate({ location, held, isOneOfFew }: HeldCertificateProps) {
  const { certificateUuid: uuid, serialNumber, withKey } = held;
  const may = useMay();
  const { data } = useQuery({
    ...certificateQuery(uuid),
    enabled: isOneOfFew && may(['certificates', 'detail', uuid]),
  });
  const facts = [
    data?.notAfter !== undefined && `Valid until ${formatDate(data.notAfter)}`,
    withKey && 'private key present',
  ];
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <Text span fw={650} className={classes.name}>
          <TextLink to={paths.certificates.one(uuid)}>{titleOf(held)}</TextLink>
        </Text>
        <DeploymentState of={held} />
      </div>
      <Text size="sm" mt={4} className={classes.meaning}>
        {meaningOf(held)}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {capitalize(facts.filter((fact) => fact !== false).join(', '))}
      </Text>
      {serialNumber !== '' && (
        <Text size="xs" c="dimmed">
          Serial number {breakAtColons(colonPairs(serialNumber))}
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <HeldActions location={location} held={held} />
      </Group>
    </li>
  );
}

const UNKNOWN_REQUEST = 'The attributes of its CSR are unknown. Issue a new certificate in the location to replace it.';

function HeldActions({ location, held }: Omit<HeldCertificateProps, 'isOneOfFew'>) {
  const { certificateUuid, state } = held;
  const { name, enabled, supportKeyManagement } = location;
  const place = locationPathOf(location);
  const queries = useQueryClient();
  const title = titleOf(held);
  const isThere = state === 'installed' || state === 'served' || state === 'notServed';
  /** Failures are shown in the certificate's entry, so the entry is refetched whether or not the change succeeds. */
  const change = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } finally {
      await queries.invalidateQueries({ queryKey: ['locations'] });
      await queries.invalidateQueries({ queryKey: ['certificates'] });
    }
  };
  const params = { ...place, certificateUuid };
  const isRenewable = location.certificates.some(
    (each) => each.certificateUuid === certificateUuid && (each.csrAttributes?.length ?? 0) > 0,
  );
  const renew: Action = {
    label: 'Renew',
    name: `Renew ${title} here`,
    icon: IconRefresh,
    needs: [...requiredLocationRights(place, 'update'), ['certificates', 'renew', certificateUuid]],
    ...(isRenewable
      ? {
          run: () => change(api.locations.renewCertificateInLocation({ params })),
          done: `${title} was renewed in ${name}.`,
          refresh: deploymentQuery(place).queryKey,
          ask: {
            title: `Renew ${title} in ${name}?`,
            children:
              'The location generates the CSR, with a new key or its current one. The new certificate replaces this one once it is issued.',
          },
        }
      : { why: UNKNOWN_REQUEST }),
  };
  if (!enabled) return null;
  return (
    <Actions
      size="compact-sm"
      actions={[
        isThere && supportKeyManagement && renew,
        (state === 'failed' || state === 'notServed') && {
          label: 'Push again',
          name: `Push again: ${title}`,
          needs: [...requiredLocationRights(place, 'update'), ['certificates', 'detail', certificateUuid]],
          to: paths.locations.push(place, certificateUuid),
        },
        {
          label: 'Remove',
          name: `Remove ${title} from here`,
          isGrave: true,
          needs: [...requiredLocationRights(place, 'update'), ['certificates', 'detail', certificateUuid]],
          run: () => change(api.locations.removeCertificateFromLocation({ params })),
          done: `${title} was removed from ${name}.`,
          refresh: deploymentQuery(place).queryKey,
          ask: {
            title: `Remove ${title} from ${name}?`,
            keep: 'Keep it there',
            children:
              'The provider removes it from the location, with its key if the key is stored there. Software that uses it stops working at the next restart. The certificate stays in the inventory and is not revoked.',
          },
        },
      ]}
    />
  );
}

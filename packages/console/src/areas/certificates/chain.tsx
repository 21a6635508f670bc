// Certificate chain from the root down, with links.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatDate } from '../../format/dates.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './chain.module.css';
import { chainQuery } from '../../queries/certificates.ts';
import { CertificateState } from './state.tsx';

export function Chain({ uuid }: { readonly uuid: string }) {
  const { data } = useQuery(chainQuery(uuid));
  if (!data || data.certificates.length === 0) return null;
  const fromTheTop = data.certificates.toReversed();
  return (
    <Panel title="Chain">
      {!data.completeChain && (
        <Text size="sm" c="dimmed" mb="sm">
          The chain is incomplete: the issuer of the topmost certificate is not in the inventory.
        </Text>
      )}
      <ol className={classes.chain}>
        {fromTheTop.map((certificate) => (
          <li
            key={certificate.uuid}
            className={classes.link}
            aria-current={certificate.uuid === uuid ? 'true' : undefined}
          >
            <div className={classes.name}>
              {certificate.uuid === uuid ? (
                <Text fw={650}>{titleOf(certificate)}</Text>
              ) : (
                <Link to={paths.certificates.one(certificate.uuid)}>{titleOf(certificate)}</Link>
              )}
              <CertificateState certificate={certificate} />
            </div>
            {certificate.notAfter && (
              <Text size="xs" c="dimmed">
                until {formatDate(certificate.notAfter)}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

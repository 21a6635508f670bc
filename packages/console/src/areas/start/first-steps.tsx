// First steps, shown on a new platform.
import { Button, Text } from '@mantine/core';
import { IconFilePlus, IconRobot, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { paths } from '../../kit/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './start.module.css';

/** Trust stores into which the root is imported. The commands are in docs/guide/trust-the-root.md. */
const trustStores: readonly (readonly [system: string, store: string])[] = [
  ['Windows', 'Trusted Root Certification Authorities'],
  ['macOS', 'System keychain, set to “Always Trust”'],
  ['Debian, Ubuntu', '/usr/local/share/ca-certificates, as .crt; then run update-ca-certificates'],
  ['Firefox', 'Settings, Certificates, Authorities, Import'],
];

export function FirstSteps() {
  const mayList = useMayList();
  return (
    <Panel title="Your first certificate">
      <Text c="dimmed" mb="md" maw="46rem">
        Your certification authority is ready. Its root certificate was created when the platform first started.
      </Text>
      <ol className={classes.steps}>
        <li>
          <IconFilePlus size={20} aria-hidden="true" />
          <Text fw={600}>Issue one here</Text>
          <Text size="sm" c="dimmed">
            Paste a certificate signing request, or let the browser generate the key.
          </Text>
          <Button component={Link} to={paths.issue} size="xs">
            Issue a certificate
          </Button>
        </li>
        <li>
          <IconShieldCheck size={20} aria-hidden="true" />
          <Text fw={600}>Trust the root</Text>
          <Text size="sm" c="dimmed">
            Machines and browsers accept your certificates once they trust the root.
          </Text>
          <Button component="a" href="/root-ca.pem" download size="xs" variant="default">
            Download the root (PEM)
          </Button>
          <dl className={classes.trust}>
            {trustStores.map(([system, store]) => (
              <div key={system}>
                <dt>{system}</dt>
                <dd>{store}</dd>
              </div>
            ))}
          </dl>
        </li>
        {mayList('acmeProfiles') && (
          <li>
            <IconRobot size={20} aria-hidden="true" />
            <Text fw={600}>Automate with ACME</Text>
            <Text size="sm" c="dimmed">
              Certbot, Caddy and other clients obtain and renew certificates automatically; the commands are ready to
              copy.
            </Text>
            <Button component={Link} to={paths.acme.list} size="xs" variant="default">
              Set up ACME
            </Button>
          </li>
        )}
      </ol>
    </Panel>
  );
}

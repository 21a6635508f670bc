// Settings in the environment. A misspelt name would silently have no effect, so it is refused.
import { nearest } from '../kernel/nearest.ts';
import { ConfigurationError } from './configuration-errors.ts';
import { environmentName, settingNames } from './settings.ts';

const PREFIX = 'SIGNETRY_';

/** Names that are not settings: those of the command line, the fault suites and the tests. */
const OTHER_NAMES = ['SIGNETRY_CONFIG', 'SIGNETRY_URL', 'SIGNETRY_TOKEN', 'SIGNETRY_TRACE', 'SIGNETRY_FAULT_POINT', 'SIGNETRY_TEST_LOG']; // prettier-ignore

export function assertKnownNames(environment: Readonly<Record<string, string | undefined>>): void {
  const known = [...settingNames.map(environmentName), ...OTHER_NAMES];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || known.includes(name) || isOfService(name, value)) continue;
    const guess = nearest(name, known);
    throw new ConfigurationError(
      `${name} in the environment is not a setting. ${guess === undefined ? `\`signetry config\` lists the settings; publicUrl, for example, is ${environmentName('publicUrl')} here.` : `Did you mean ${guess}?`}`,
    );
  }
}

/** Kubernetes and container links set such names in every container when there is a service called signetry. */
const isOfService = (name: string, value: string | undefined): boolean =>
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?$/.test(name) ||
  /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));

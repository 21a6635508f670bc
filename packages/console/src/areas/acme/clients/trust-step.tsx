// Instructions for making the client's machine trust the directory's TLS certificate, which is issued by the platform's
// own root.
import { Anchor, Text } from '@mantine/core';
import { colonPairs } from '../../../format/names.ts';
import { Code } from '../../../ui/code.tsx';
import { ROOT_FILE, joinLines, type TrustMethod } from './setup.ts';
import { Step } from './step.tsx';
import classes from './steps.module.css';

export interface TrustStepProps {
  readonly trust: Exclude<TrustMethod, 'snippet'>;
  readonly directoryUrl: string;
  readonly fingerprint: string | undefined;
}

export function TrustStep({ trust, directoryUrl, fingerprint }: TrustStepProps) {
  const url = new URL('/root-ca.pem', directoryUrl).href;
  return (
    <Step title="Trust the root certificate on the client’s machine">
      <Text size="sm" c="dimmed">
        This platform issued the TLS certificate of this URL. Copy the{' '}
        <Anchor href="/root-ca.pem" inherit underline="always" download>
          root certificate
        </Anchor>{' '}
        to the client’s machine, or download it there:
      </Text>
      {trust === 'file' ? (
        <Code place="Shell" what="commands for the root certificate" text={fileCommands(url)} />
      ) : (
        <Code place="Command prompt, as administrator" text={windowsCommands(url)} />
      )}
      {fingerprint === undefined ? (
        <Text size="sm" c="dimmed">
          Compare the printed fingerprint with that of the file in the platform’s data directory.
        </Text>
      ) : (
        <div>
          <Text size="sm" c="dimmed">
            {trust === 'file'
              ? 'The last line prints the SHA-256 fingerprint. It must be'
              : 'Before you run the last line, check that the SHA-256 fingerprint is'}
          </Text>
          <span className={classes.fingerprint}>{colonPairs(fingerprint)}</span>
        </div>
      )}
    </Step>
  );
}

/** The download is not authenticated, so the fingerprint is checked before the certificate is trusted. */
const fileCommands = (url: string): string =>
  joinLines(
    `sudo curl --insecure --fail --create-dirs -o ${ROOT_FILE} ${url}`,
    `openssl x509 -in ${ROOT_FILE} -noout -fingerprint -sha256`,
  );

const windowsCommands = (url: string): string =>
  joinLines(
    `curl --insecure --fail -o root-ca.pem ${url}`,
    'certutil -v -dump root-ca.pem',
    'certutil -addstore -f Root root-ca.pem',
  );

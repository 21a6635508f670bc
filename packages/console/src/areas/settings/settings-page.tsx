// Settings of the platform, each with the button that changes it.
import { Columns } from '../../ui/columns.tsx';
import { Page } from '../../ui/page.tsx';
import { RenewalPausePanel } from '../expiry/renewal-pause.tsx';
import { ThresholdsPanel } from '../expiry/thresholds-panel.tsx';
import { LocalAdministratorPanel } from './local-administrator.tsx';
import { LoggingPanel } from './logging.tsx';
import { ProvidersPanel } from './providers.tsx';
import { ReadsPanel } from './reads.tsx';
import { RetentionPanel } from './retention.tsx';
import { ValidationPanel } from './validation.tsx';
import { ValidationRunPanel } from './validation-run.tsx';

export function SettingsPage() {
  return (
    <Page title="Settings" description="They apply to the whole platform, on every node within five seconds.">
      <Columns
        main={
          <>
            <ProvidersPanel />
            <LoggingPanel />
            <ReadsPanel />
            <RetentionPanel />
            <ThresholdsPanel holder={{ kind: 'platform' }} />
          </>
        }
        side={
          <>
            <ValidationPanel />
            <ValidationRunPanel />
            <RenewalPausePanel />
            <LocalAdministratorPanel />
          </>
        }
      />
    </Page>
  );
}

// Queries a connector's functions before the connector is saved. Nothing is stored.
import { Button } from '@mantine/core';
import type { ConnectRequestDto } from '@signetry/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.ts';
import { Callout } from '../../ui/callout.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { describeError } from '../../ui/outcomes.tsx';
import type { Connection } from './shapes.ts';
import { functionGroupTexts } from './texts.ts';

export interface ConnectionTestModel {
  readonly isPassed: boolean;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly offers: readonly Connection[];
  readonly run: () => void;
}

export function useConnectionTest(access: ConnectRequestDto): ConnectionTestModel {
  const test = useMutation({ mutationFn: (body: ConnectRequestDto) => api.connectors.connectConnector({ body }) });
  /** Results apply only to the tested values, not to later changes. */
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(access);
  return {
    isPassed: test.isSuccess && isCurrent,
    isRunning: test.isPending,
    error: isCurrent ? test.error : null,
    offers: test.data ?? [],
    run: () => test.mutate(access),
  };
}

export interface ConnectionTestProps {
  readonly test: ConnectionTestModel;
  /** Whether there is a URL to test. */
  readonly isReady: boolean;
  /** Returns whether the credential fields can be sent. */
  readonly check: () => boolean;
}

/** More than the height of the form buttons, which overlay the end of the form. */
const ABOVE_FOOT = '10rem';

export function ConnectionTest({ test, isReady, check }: ConnectionTestProps) {
  const outcome = useRef<HTMLDivElement>(null);
  const isKnown = test.isPassed || Boolean(test.error);
  useEffect(() => {
    if (isKnown) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [isKnown]);
  return (
    <FormSection title="Test" description="Queries the connector’s functions. Nothing is stored.">
      <div>
        <Button
          variant="default"
          loading={test.isRunning}
          disabled={!isReady}
          onClick={() => {
            if (check()) test.run();
          }}
        >
          Test connection
        </Button>
      </div>
      <div role="status" ref={outcome} style={{ scrollMarginBottom: ABOVE_FOOT }}>
        {test.error ? (
          <Callout tone="bad" title="Connection failed">
            {describeError(test.error).text}
          </Callout>
        ) : (
          test.isPassed && <TestSuccess offers={test.offers} />
        )}
      </div>
    </FormSection>
  );
}

function TestSuccess({ offers }: { readonly offers: readonly Connection[] }) {
  return (
    <Callout tone="good" title="Connection successful">
      {offers.map(({ functionGroup: { functionGroupCode: code, kinds } }) => (
        <div key={code}>
          {functionGroupTexts[code].title}: {kinds.join(', ')}
        </div>
      ))}
    </Callout>
  );
}

// Asks a connector for its functions before it is saved. Nothing is stored.
import { Button } from '@mantine/core';
import type { ConnectRequestDto } from '@signetry/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.ts';
import { Callout } from '../../ui/callout.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { wordsOf } from '../../ui/outcomes.tsx';
import type { Connection } from './shapes.ts';
import { functionGroupWords } from './words.ts';

export interface ConnectionTestModel {
  readonly isPassed: boolean;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly offers: readonly Connection[];
  readonly run: () => void;
}

export function useConnectionTest(access: ConnectRequestDto): ConnectionTestModel {
  const test = useMutation({ mutationFn: (body: ConnectRequestDto) => api.connectors.connectConnector({ body }) });
  /** A result is valid for the values that were tested, not for later changes. */
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
  /** Whether the fields of the credentials can be sent. */
  readonly check: () => boolean;
}

/** Higher than the buttons of the form, which lie over its end. */
const ABOVE_FOOT = '10rem';

export function ConnectionTest({ test, isReady, check }: ConnectionTestProps) {
  const outcome = useRef<HTMLDivElement>(null);
  const isKnown = test.isPassed || Boolean(test.error);
  useEffect(() => {
    if (isKnown) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [isKnown]);
  return (
    <FormSection title="Test" description="Asks the connector for its functions. Nothing is stored.">
      <div>
        <Button
          variant="default"
          loading={test.isRunning}
          disabled={!isReady}
          onClick={() => {
            if (check()) test.run();
          }}
        >
          Test the connection
        </Button>
      </div>
      <div role="status" ref={outcome} style={{ scrollMarginBottom: ABOVE_FOOT }}>
        {test.error ? (
          <Callout tone="bad" title="The connection failed">
            {wordsOf(test.error).text}
          </Callout>
        ) : (
          test.isPassed && <Passed offers={test.offers} />
        )}
      </div>
    </FormSection>
  );
}

function Passed({ offers }: { readonly offers: readonly Connection[] }) {
  return (
    <Callout tone="good" title="The connector answers">
      {offers.map(({ functionGroup: { functionGroupCode: code, kinds } }) => (
        <div key={code}>
          {functionGroupWords[code].title}: {kinds.join(', ')}
        </div>
      ))}
    </Callout>
  );
}

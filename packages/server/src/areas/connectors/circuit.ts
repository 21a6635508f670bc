// Circuit breaker for each connector: after repeated failures, calls are suspended for a while, so that callers do not
// wait for timeouts; then a single trial call is sent. Each node decides based on its own calls. A rejection (4xx) is a
// response and never opens a circuit.
import type { CircuitState, Operation, OperationRequest } from '@signetry/contract';
import type { Clock } from '../../kernel/clock.ts';
import { CallFailure } from './call-failure.ts';
import type { CallOptions, ConnectorResponse, Transport } from './transport.ts';

/** Number of consecutive failed calls that opens a circuit. */
export const FAILURES_TO_OPEN = 5;
/** Duration of the first pause; each failed trial doubles it. */
export const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 120_000;
/** After this time, an unfinished trial is superseded by another. */
const TRIAL_MS = 90_000;

export interface CircuitView {
  readonly state: CircuitState;
  readonly failures: number;
  readonly openedAt?: Date;
  readonly retryAt?: Date;
}

/** Called when a circuit opens and when it closes again. */
export type CircuitListener = (name: string, event: { readonly isOpen: boolean; readonly failures: number }) => void;

export type Circuits = ReturnType<typeof createCircuits>;

interface OpenState {
  readonly at: Date;
  readonly pauseMs: number;
  readonly retryMs: number;
  /** When the trial in progress started. */
  trialMs?: number | undefined;
}

interface Circuit {
  readonly name: string;
  failures: number;
  opened?: OpenState | undefined;
}

interface CircuitParts {
  readonly clock: Clock;
  /** Returns a random number in [0, 1), used to vary the pauses between nodes. */
  readonly chance: () => number;
  readonly onChange: CircuitListener;
}

export function createCircuits(parts: CircuitParts) {
  const { clock, onChange } = parts;
  const known = new Map<string, Circuit>();

  const circuitOf = (uuid: string, name: string): Circuit => {
    const circuit = known.get(uuid) ?? { name, failures: 0 };
    known.set(uuid, circuit);
    return circuit;
  };

  return {
    /**
     * Wraps a connector's transport in its circuit breaker. With `isLook`, calls are sent even if the circuit is open,
     * because they probe the connector.
     */
    guard(transport: Transport, { uuid, name, isLook }: { uuid: string; name: string; isLook: boolean }): Transport {
      return {
        async call(operation, request, options) {
          const circuit = circuitOf(uuid, name);
          const isTrial = !isLook && admit(parts, circuit);
          return settleCall(parts, circuit, { transport, isTrial }, { operation, request, options });
        },
      };
    },
    view: (uuid: string): CircuitView => viewOf(clock, known.get(uuid)),
    /** Call this if a connector is removed or its URL changes. */
    forget(uuid: string): void {
      const circuit = known.get(uuid);
      known.delete(uuid);
      if (circuit?.opened) onChange(circuit.name, { isOpen: false, failures: 0 });
    },
  };
}

/** Rejects the call while the circuit is open; returns whether the call is the trial. */
function admit({ clock }: CircuitParts, { opened, failures }: Circuit): boolean {
  if (!opened) return false;
  const now = clock.monotonicMs();
  const isTried = opened.trialMs !== undefined && now - opened.trialMs < TRIAL_MS;
  if (now >= opened.retryMs && !isTried) {
    opened.trialMs = now;
    return true;
  }
  const seconds = Math.max(1, Math.ceil((opened.retryMs - now) / 1000));
  const when = isTried ? 'a trial call is in progress' : `it will be retried in ${seconds} s`;
  throw new CallFailure('unreachable', `its last ${failures} calls failed, and ${when}`, { outcome: 'notCarriedOut' });
}

async function settleCall<Op extends Operation>(
  parts: CircuitParts,
  circuit: Circuit,
  { transport, isTrial }: { readonly transport: Transport; readonly isTrial: boolean },
  call: {
    readonly operation: Op;
    readonly request: OperationRequest<Op>;
    readonly options: CallOptions;
  },
): Promise<ConnectorResponse<Op>> {
  try {
    const answer = await transport.call(call.operation, call.request, call.options);
    close(parts, circuit);
    return answer;
  } catch (error) {
    const verdict = classifyError(error);
    if (verdict === 'fails') recordFailure(parts, circuit, isTrial);
    else if (verdict === 'answers') close(parts, circuit);
    // The trial's caller aborted the call, so the next call can be the trial.
    else if (isTrial && circuit.opened) circuit.opened.trialMs = undefined;
    throw error;
  }
}

/**
 * Returns whether a failed call shows that the connector is down or that it is responding. An aborted call shows
 * neither.
 */
function classifyError(error: unknown): 'fails' | 'answers' | 'neither' {
  if (!(error instanceof CallFailure) || error.isGivenUp) return 'neither';
  const { kind, status } = error;
  if (kind === 'unreachable') return 'fails';
  if (status === undefined) return 'neither';
  return status >= 500 && status !== 501 ? 'fails' : 'answers';
}

function recordFailure({ clock, chance, onChange }: CircuitParts, circuit: Circuit, isTrial: boolean): void {
  circuit.failures += 1;
  const { opened, failures, name } = circuit;
  if (failures < FAILURES_TO_OPEN || (opened && !isTrial)) return;
  const pauseMs = opened ? Math.min(2 * opened.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
  const now = clock.monotonicMs();
  circuit.opened = { at: opened?.at ?? clock.now(), pauseMs, retryMs: now + pauseMs * (0.8 + 0.4 * chance()) };
  if (!opened) onChange(name, { isOpen: true, failures });
}

function close({ onChange }: CircuitParts, circuit: Circuit): void {
  const wasOpen = circuit.opened !== undefined;
  circuit.failures = 0;
  circuit.opened = undefined;
  if (wasOpen) onChange(circuit.name, { isOpen: false, failures: 0 });
}

function viewOf(clock: Clock, circuit: Circuit | undefined): CircuitView {
  const { failures = 0, opened } = circuit ?? {};
  if (!opened) return { state: 'closed', failures };
  const inMs = opened.retryMs - clock.monotonicMs();
  return {
    state: inMs > 0 ? 'open' : 'halfOpen',
    failures,
    openedAt: opened.at,
    retryAt: new Date(clock.now().getTime() + Math.max(0, inMs)),
  };
}

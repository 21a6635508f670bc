// Checks of one kind in one function group: the connector's declaration and the specified values.
import {
  featuresIn,
  IDEMPOTENCY_FEATURE,
  type EndpointDto,
  type FunctionGroupCode,
  type InfoResponse,
  type Operation,
} from '@signetry/contract';
import { NotOfferedError, requestOf, type Call, type Session } from './session.ts';
import type { Request } from './transport.ts';
import type { Outcome } from './report/result.ts';
import type { ValuesOfKind } from './values/given-values.ts';

export interface ScopeFacts {
  readonly group: FunctionGroupCode;
  readonly kind: string;
  readonly declared: InfoResponse;
  readonly given: ValuesOfKind;
}

export class Scope {
  readonly session: Session;
  readonly group: FunctionGroupCode;
  readonly kind: string;
  readonly given: ValuesOfKind;
  readonly features: readonly string[];
  readonly #endPoints: readonly EndpointDto[];

  constructor(session: Session, { group, kind, declared, given }: ScopeFacts) {
    this.session = session;
    this.group = group;
    this.kind = kind;
    this.given = given;
    this.features = featuresIn(declared.endPoints);
    this.#endPoints = declared.endPoints;
  }

  check<Value>(title: string, run: () => Promise<Value>): Promise<Value | undefined> {
    return this.session.check({ group: this.group, kind: this.kind }, title, run);
  }

  /** Outcome of the latest check. */
  lastOutcome(): Outcome | undefined {
    return this.session.results.at(-1)?.outcome;
  }

  /** Whether the connector declares the operation's endpoint. */
  isOffered({ method, path }: Operation): boolean {
    // Attribute paths contain the function group; both generations of authority providers have the same paths.
    const group = this.group === 'legacyAuthorityProvider' ? 'authorityProvider' : this.group;
    const context = path.replace('{functionalGroup}', group);
    return this.#endPoints.some((each) => each.method.toUpperCase() === method && each.context === context);
  }

  /** Ends the check as not offered if the connector lacks an operation. */
  need(...operations: readonly Operation[]): void {
    for (const operation of operations) if (!this.isOffered(operation)) throw this.notOffered(operation);
  }

  /** Ends the check as not offered if the connector does not declare idempotency. */
  requireIdempotency(): void {
    if (!this.features.includes(IDEMPOTENCY_FEATURE))
      throw new NotOfferedError(`The feature ${IDEMPOTENCY_FEATURE} is not declared.`);
  }

  notOffered = ({ method, path }: Operation): NotOfferedError =>
    new NotOfferedError(`${method} ${path.replace('{functionalGroup}', this.group)} is not declared.`);

  /** Returns the error for any other missing capability. */
  lacking = (what: string): NotOfferedError => new NotOfferedError(what);

  /** Whether an undeclared endpoint is indeed missing. */
  async isMissing(operation: Operation, call: Call): Promise<boolean> {
    const { status } = await this.session.exchange(this.requestOf(operation, call));
    return status === 404 || status === 405;
  }

  requestOf(operation: Operation, call: Call): Request {
    return requestOf(operation, call);
  }
}

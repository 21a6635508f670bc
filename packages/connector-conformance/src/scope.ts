// The part of a run that concerns one kind of one function group: what the connector declared for it, and the values
// that were given for it.
import {
  IDEMPOTENCY_FEATURE,
  type EndpointDto,
  type FunctionGroupCode,
  type InfoResponse,
  type Operation,
} from '@signetry/contract';
import { NotOffered, requestOf, type Call, type Session } from './session.ts';
import type { Request } from './reach.ts';
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
    this.features = declared.features ?? [];
    this.#endPoints = declared.endPoints;
  }

  check<Value>(title: string, run: () => Promise<Value>): Promise<Value | undefined> {
    return this.session.check({ group: this.group, kind: this.kind }, title, run);
  }

  /** Of the latest check. */
  lastOutcome(): Outcome | undefined {
    return this.session.results.at(-1)?.outcome;
  }

  /** Whether the connector declared the endpoint of the operation. */
  isOffered({ method, path }: Operation): boolean {
    // Paths of attributes name the group by a parameter; both generations of authorities have the same paths.
    const group = this.group === 'legacyAuthorityProvider' ? 'authorityProvider' : this.group;
    const context = path.replace('{functionalGroup}', group);
    return this.#endPoints.some((each) => each.method.toUpperCase() === method && each.context === context);
  }

  /** Ends the check when the connector does not offer the operation. */
  need(...operations: readonly Operation[]): void {
    for (const operation of operations) if (!this.isOffered(operation)) throw this.notOffered(operation);
  }

  /** Ends the check where the connector does not promise to replay. */
  requireIdempotency(): void {
    if (!this.features.includes(IDEMPOTENCY_FEATURE))
      throw new NotOffered(`The feature ${IDEMPOTENCY_FEATURE} is not declared.`);
  }

  notOffered = ({ method, path }: Operation): NotOffered =>
    new NotOffered(`${method} ${path.replace('{functionalGroup}', this.group)} is not declared.`);

  /** Something else that the connector lacks. */
  lacking = (what: string): NotOffered => new NotOffered(what);

  /** Whether an endpoint that is not declared is not there either. */
  async isMissing(operation: Operation, call: Call): Promise<boolean> {
    const { status } = await this.session.exchange(this.requestOf(operation, call));
    return status === 404 || status === 405;
  }

  requestOf(operation: Operation, call: Call): Request {
    return requestOf(operation, call);
  }
}

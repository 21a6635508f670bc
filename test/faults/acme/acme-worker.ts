// An ACME client that places orders continuously, and resumes after every crash of the platform with the same account,
// order and request. Every step can be repeated, as by clients that lost the response.
import { setTimeout as delay } from 'node:timers/promises';
import { parseCertificate, readPem } from '@signetry/pki';
import type { AcmeAuthorization, AcmeChallenge, AcmeOrder } from '../../../packages/testkit/src/acme/acme-objects.ts';
import { makeSigningRequest } from '../../../packages/testkit/src/acme/signing-request.ts';
import { sha256 } from '../load.ts';
import type { AcmeEvidence } from './acme-evidence.ts';
import {
  createFaultClient,
  ConnectionLost,
  pathOf,
  type AcmeResponse,
  type FaultClient,
  type Origin,
} from './fault-client.ts';
import type { Targets } from './targets.ts';

const POLL_MS = 40;
/** Of this many orders, one has a target that responds incorrectly or late, or has two names; one is revoked. */
const WRONG_EVERY = 7;
const LATE_EVERY = 9;
const TWO_NAMES_EVERY = 2;
const REVOKE_EVERY = 4;
/** Longer than the platform delays its response, so that the challenge is `processing`. */
const LATE_MS = 2_000;
const REVOCATION = { code: 4, name: 'superseded' };

interface Plan {
  readonly names: readonly string[];
  readonly isWrong: boolean;
  readonly isLate: boolean;
  readonly csr: string;
  order?: { readonly path: string; readonly finalizePath: string; readonly authorizations: readonly string[] };
  proven: number;
  /** The certificate URL from a response. */
  told?: string;
  certificate?: { readonly path: string; readonly der: Uint8Array; readonly sha256: string };
  isRevoking: boolean;
}

export interface WorkerFacts {
  readonly index: number;
  readonly origin: Origin;
  readonly targets: Targets;
  readonly evidence: AcmeEvidence;
  readonly random: () => number;
}

export class AcmeWorker {
  readonly client: FaultClient;
  private readonly facts: WorkerFacts;
  private plan: Plan | undefined;
  private turn = 0;

  constructor(facts: WorkerFacts) {
    this.facts = facts;
    this.client = createFaultClient({ ledger: facts.evidence.nonces, origin: facts.origin });
  }

  get isIdle(): boolean {
    return this.plan === undefined;
  }

  /** Current step, for error messages. */
  get where(): string {
    const { order, proven = 0, told } = this.plan ?? {};
    return `${order?.path ?? 'no order'}, ${proven} proofs, ${told ?? 'no certificate'}`;
  }

  /**
   * Runs until the signal or the death of the platform or, if nothing new is to be started, until the current order is
   * finished.
   */
  async run(signal: AbortSignal, { begins }: { readonly begins: boolean }): Promise<void> {
    const shouldContinue = (): boolean => !signal.aborted && (begins || !this.isIdle);
    try {
      while (shouldContinue()) await this.step();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  private async step(): Promise<void> {
    await this.client.account();
    this.plan ??= await this.newPlan();
    const { plan } = this;
    if (!plan.order) return this.place(plan);
    if (plan.proven < plan.order.authorizations.length) return this.prove(plan, plan.order);
    if (!plan.certificate) return this.finalize(plan, plan.order);
    if (plan.isRevoking) return this.revoke(plan);
    this.plan = undefined;
  }

  private async newPlan(): Promise<Plan> {
    const { targets, random, index } = this.facts;
    this.turn += 1;
    const every = (count: number): boolean => (this.turn + index) % count === 0;
    const first = Math.floor(random() * 1_000);
    const names = [targets.host(first), ...(every(TWO_NAMES_EVERY) ? [targets.host(first + 1)] : [])];
    const { der } = await makeSigningRequest({ names });
    return {
      names,
      isWrong: every(WRONG_EVERY),
      isLate: every(LATE_EVERY),
      csr: Buffer.from(der).toString('base64url'),
      proven: 0,
      isRevoking: false,
    };
  }

  private async place(plan: Plan): Promise<void> {
    const identifiers = plan.names.map((value) => ({ type: 'dns', value }));
    const answer = await this.ask(this.client.newOrderPath, { identifiers });
    if (!answer) return;
    if (answer.status !== 201 || answer.location === undefined) return this.contradict('I10', 'newOrder', answer);
    const order = JSON.parse(answer.text) as AcmeOrder; // 201
    const path = pathOf(answer.location);
    plan.order = { path, finalizePath: pathOf(order.finalize), authorizations: order.authorizations.map(pathOf) };
    this.facts.evidence.placedBy(this.facts.index).add(path);
  }

  private async prove(plan: Plan, order: NonNullable<Plan['order']>): Promise<void> {
    const path = order.authorizations[plan.proven] ?? '';
    const authorization = await this.read<AcmeAuthorization>(path);
    if (!authorization) return;
    if (authorization.status === 'valid') {
      plan.proven += 1;
      return;
    }
    if (authorization.status === 'invalid') return this.endInvalid(plan, order, JSON.stringify(authorization));
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) return this.facts.evidence.contradict('I10', `no http-01 in ${JSON.stringify(authorization)}`);
    if (challenge.status === 'processing') return void (await delay(POLL_MS));
    const content = plan.isWrong ? 'something else' : this.client.keyAuthorization(challenge.token);
    this.facts.targets.serve(challenge.token, { content, afterMs: plan.isLate ? LATE_MS : 0 });
    await this.ask(pathOf(challenge.url), {} satisfies Partial<AcmeChallenge>);
  }

  private async finalize(plan: Plan, order: NonNullable<Plan['order']>): Promise<void> {
    const answer = await this.ask(order.finalizePath, { csr: plan.csr });
    if (!answer) return;
    if (answer.status !== 200) return this.contradict('I10', `finalize of ${order.path}`, answer);
    const finalized = JSON.parse(answer.text) as AcmeOrder; // 200
    if (finalized.status === 'processing') return void (await delay(POLL_MS));
    if (finalized.status !== 'valid' || finalized.certificate === undefined)
      return this.endInvalid(plan, order, answer.text);
    const path = pathOf(finalized.certificate);
    if ((plan.told ??= path) !== path)
      return this.facts.evidence.contradict('I2', `${order.path} returned ${path} after ${plan.told}`);
    const downloaded = await this.ask(path);
    if (!downloaded) return;
    if (downloaded.status !== 200) return this.contradict('I2', path, downloaded);
    const der = readPem(downloaded.text)[0]?.der ?? new Uint8Array();
    plan.certificate = { path, der, sha256: sha256(Buffer.from(downloaded.text)) };
    this.keep(plan, order, plan.certificate);
  }

  private keep(
    plan: Plan,
    order: NonNullable<Plan['order']>,
    { path, der, sha256: chain }: NonNullable<Plan['certificate']>,
  ): void {
    const { evidence, index } = this.facts;
    if (plan.isWrong) evidence.contradict('I10', `${order.path} became valid without a proof`);
    evidence.ended.push({
      worker: index,
      path: order.path,
      finalizePath: order.finalizePath,
      csr: plan.csr,
      status: 'valid',
      certificate: { path, sha256: chain },
    });
    evidence.certificates.issued.push({
      uuid: path.split('/').at(-1) ?? '',
      sha256: sha256(der),
      serialNumber: parseCertificate(der).serialNumber,
    });
    plan.isRevoking = (this.turn + index) % REVOKE_EVERY === 0;
  }

  private async revoke(plan: Plan): Promise<void> {
    const { path = '', der = new Uint8Array() } = plan.certificate ?? {};
    const certificate = Buffer.from(der).toString('base64url');
    const answer = await this.ask(this.client.revokePath, { certificate, reason: REVOCATION.code });
    if (!answer) return;
    // The response to an earlier attempt may have been lost.
    if (answer.status !== 200 && answer.problem !== 'alreadyRevoked')
      return this.contradict('I5', 'revokeCert', answer);
    this.facts.evidence.certificates.revoked.push({
      uuid: path.split('/').at(-1) ?? '',
      serialNumber: parseCertificate(der).serialNumber,
      reason: REVOCATION.name,
    });
    plan.isRevoking = false;
  }

  /** Finishes a failed order: it must fail if its challenge response was wrong, and only then. */
  private async endInvalid(plan: Plan, order: NonNullable<Plan['order']>, what: string): Promise<void> {
    const { evidence, index } = this.facts;
    const shown = await this.read<AcmeOrder>(order.path);
    if (!shown) return;
    if (!plan.isWrong) evidence.contradict('I10', `an order with valid proofs failed: ${what}`);
    if (shown.status !== 'invalid')
      evidence.contradict('I11', `${order.path} is ${shown.status} although its proof failed`);
    evidence.ended.push({
      worker: index,
      path: order.path,
      finalizePath: order.finalizePath,
      csr: plan.csr,
      status: 'invalid',
    });
    this.plan = undefined;
  }

  private async read<Body>(path: string): Promise<Body | undefined> {
    const answer = await this.ask(path);
    if (!answer) return undefined;
    if (answer.status === 200) return JSON.parse(answer.text) as Body; // 200
    this.contradict('I10', path, answer);
    return undefined;
  }

  /** Undefined if the platform has an internal error; the step is then repeated. */
  private async ask(path: string, payload?: unknown): Promise<AcmeResponse | undefined> {
    const answer = await this.client.signed(path, payload);
    if (answer.status < 500) return answer;
    await delay(POLL_MS);
    return undefined;
  }

  private contradict(invariant: 'I2' | 'I5' | 'I10', what: string, answer: AcmeResponse): void {
    this.facts.evidence.contradict(invariant, `${what} returned ${answer.status}: ${answer.text.slice(0, 300)}`);
    this.plan = undefined;
  }
}

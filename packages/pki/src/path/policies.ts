// Certificate policies along a path (RFC 5280 §6.1), using the policy graph of RFC 9618 instead of the policy tree.
// Hostile mappings make the tree grow exponentially; the graph has one node per policy and level.
import { OID } from '../oids.ts';
import type { Budget } from './budget.ts';
import type { Certificate } from '../x509/certificate.ts';

/**
 * Maximum number of policies per level: certificates with more are rejected before the policies multiply with the level
 * above.
 */
const MAX_POLICIES = 1024;

/** Steps to add a policy to the graph and find it again. */
const STEPS_PER_POLICY = 4;

interface PolicyNode {
  readonly policy: string;
  expected: ReadonlySet<string>;
  /** Policies of the parent nodes on the level above. */
  readonly parents: ReadonlySet<string>;
}

type Level = Map<string, PolicyNode>;

export interface PolicyOptions {
  /** Policies accepted by the caller; absent means any. */
  readonly acceptedPolicies?: readonly string[] | undefined;
  readonly requireExplicitPolicy?: boolean | undefined;
  readonly inhibitPolicyMapping?: boolean | undefined;
  readonly inhibitAnyPolicy?: boolean | undefined;
}

/** State of the walk from the anchor to the end entity. */
export interface PolicyState {
  readonly budget: Budget;
  /** Levels so far, or `undefined` once no policy is valid. */
  levels: Level[] | undefined;
  explicitPolicy: number;
  policyMapping: number;
  inhibitAnyPolicy: number;
}

export function startPolicies(pathLength: number, options: PolicyOptions & { readonly budget: Budget }): PolicyState {
  const start = (isSet: boolean | undefined): number => (isSet ? 0 : pathLength + 1);
  const root: PolicyNode = { policy: OID.anyPolicy, expected: new Set([OID.anyPolicy]), parents: new Set() };
  return {
    budget: options.budget,
    levels: [new Map([[OID.anyPolicy, root]])],
    explicitPolicy: start(options.requireExplicitPolicy),
    policyMapping: start(options.inhibitPolicyMapping),
    inhibitAnyPolicy: start(options.inhibitAnyPolicy),
  };
}

/**
 * Processes a certificate's policies (RFC 5280 §6.1.3 d to f with RFC 9618 §5.2). Returns the reason for a failure, or
 * `undefined`.
 */
export function enterCertificate(state: PolicyState, certificate: Certificate, isLast: boolean): string | undefined {
  state.budget.spend(certificate.der.length / OCTETS_PER_STEP);
  const policies = new Set(certificate.certificatePolicies.map(({ oid }) => oid));
  if (policies.size > MAX_POLICIES) return 'The certificate has too many policies.';
  const above = state.levels?.at(-1);
  if (state.levels !== undefined && above !== undefined) {
    const mayUseAny = state.inhibitAnyPolicy > 0 || (!isLast && certificate.isSelfIssued);
    const level = nextLevel(above, { policies, mayUseAny, budget: state.budget });
    if (level.size === 0) state.levels = undefined;
    else state.levels.push(level);
  }
  if (state.explicitPolicy === 0 && state.levels === undefined) return 'No certificate policy is valid for the path.';
  return undefined;
}

/** Number of policy extension bytes read per step. */
const OCTETS_PER_STEP = 16;

function nextLevel(
  above: Level,
  options: { policies: ReadonlySet<string>; mayUseAny: boolean; budget: Budget },
): Level {
  const { policies, mayUseAny, budget } = options;
  const parentsByExpected = new Map<string, Set<string>>();
  for (const node of above.values()) {
    budget.spend(STEPS_PER_POLICY * (node.expected.size + 1));
    for (const policy of node.expected) {
      const parents = parentsByExpected.get(policy);
      if (parents === undefined) parentsByExpected.set(policy, new Set([node.policy]));
      else parents.add(node.policy);
    }
  }
  const level: Level = new Map();
  const add = (policy: string, parents: ReadonlySet<string>): void => {
    level.set(policy, { policy, expected: new Set([policy]), parents });
  };
  for (const policy of policies) {
    if (policy === OID.anyPolicy) continue;
    const parents = parentsByExpected.get(policy);
    if (parents !== undefined) add(policy, parents);
    else if (above.has(OID.anyPolicy)) add(policy, new Set([OID.anyPolicy]));
  }
  if (policies.has(OID.anyPolicy) && mayUseAny) {
    for (const [policy, parents] of parentsByExpected) if (!level.has(policy)) add(policy, parents);
  }
  return level;
}

/** Applies an intermediate certificate's effect on the certificates below it (RFC 5280 §6.1.4 a, b and h to j). */
export function leaveIntermediate(state: PolicyState, certificate: Certificate): string | undefined {
  const problem = applyMappings(state, certificate);
  if (!certificate.isSelfIssued) {
    if (state.explicitPolicy > 0) state.explicitPolicy--;
    if (state.policyMapping > 0) state.policyMapping--;
    if (state.inhibitAnyPolicy > 0) state.inhibitAnyPolicy--;
  }
  const { requireExplicitPolicy, inhibitPolicyMapping } = certificate.policyConstraints ?? {};
  state.explicitPolicy = Math.min(state.explicitPolicy, requireExplicitPolicy ?? state.explicitPolicy);
  state.policyMapping = Math.min(state.policyMapping, inhibitPolicyMapping ?? state.policyMapping);
  state.inhibitAnyPolicy = Math.min(state.inhibitAnyPolicy, certificate.inhibitAnyPolicy ?? state.inhibitAnyPolicy);
  return problem;
}

function applyMappings(state: PolicyState, certificate: Certificate): string | undefined {
  const mappings = new Map<string, Set<string>>();
  for (const { issuerDomainPolicy, subjectDomainPolicy } of certificate.policyMappings) {
    if (issuerDomainPolicy === OID.anyPolicy || subjectDomainPolicy === OID.anyPolicy) {
      return 'A policy mapping must not contain anyPolicy (RFC 5280 §4.2.1.5).';
    }
    const targets = mappings.get(issuerDomainPolicy);
    if (targets === undefined) mappings.set(issuerDomainPolicy, new Set([subjectDomainPolicy]));
    else targets.add(subjectDomainPolicy);
  }
  const level = state.levels?.at(-1);
  if (level === undefined || mappings.size === 0) return undefined;
  for (const [policy, targets] of mappings) {
    const node = level.get(policy);
    if (state.policyMapping === 0) level.delete(policy);
    else if (node !== undefined) node.expected = targets;
    else if (level.has(OID.anyPolicy))
      level.set(policy, { policy, expected: targets, parents: new Set([OID.anyPolicy]) });
  }
  if (level.size === 0) state.levels = undefined;
  return undefined;
}

export interface PolicyOutcome {
  readonly problem: string | undefined;
  /** Policies under which the path is valid for the caller, in the anchor's policy domain; can contain `anyPolicy`. */
  readonly policies: readonly string[];
}

/** Determines the resulting policies (RFC 5280 §6.1.5 a, b and g with RFC 9618 §5.5). */
export function finishPolicies(state: PolicyState, last: Certificate, options: PolicyOptions): PolicyOutcome {
  if (state.explicitPolicy > 0) state.explicitPolicy--;
  if (last.policyConstraints?.requireExplicitPolicy === 0) state.explicitPolicy = 0;
  const policies = intersectAccepted(authorityPolicies(state), options.acceptedPolicies);
  const isValid = state.explicitPolicy > 0 || policies.length > 0;
  return { problem: isValid ? undefined : 'The path is not valid for any accepted policy.', policies };
}

/**
 * Returns policies whose chain of nodes starts below an anyPolicy node, by their identifiers in the anchor's domain.
 */
function authorityPolicies({ levels, budget }: PolicyState): Set<string> {
  const found = new Set<string>();
  if (levels === undefined) return found;
  let reachable = new Set(levels.at(-1)?.keys());
  if (levels.at(-1)?.has(OID.anyPolicy)) found.add(OID.anyPolicy);
  for (let depth = levels.length - 1; depth > 0; depth--) {
    const parents = new Set<string>();
    for (const policy of reachable) {
      budget.spend(STEPS_PER_POLICY);
      const above = levels[depth]?.get(policy)?.parents ?? new Set<string>();
      budget.spend(above.size);
      for (const parent of above) {
        if (parent !== OID.anyPolicy) parents.add(parent);
        else if (policy !== OID.anyPolicy) found.add(policy);
      }
    }
    reachable = parents;
  }
  return found;
}

function intersectAccepted(authority: ReadonlySet<string>, accepted: readonly string[] | undefined): string[] {
  if (accepted === undefined || accepted.includes(OID.anyPolicy)) return [...authority];
  return authority.has(OID.anyPolicy) ? [...accepted] : accepted.filter((policy) => authority.has(policy));
}

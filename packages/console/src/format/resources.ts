// Labels for the resources and actions of permissions.
import { Resource, ResourceAction } from '@signetry/contract';

/** Plural labels, as shown in the menu. */
const plurals: Partial<Record<Resource, string>> = {
  settings: 'Settings',
  auditLogs: 'Audit log',
  acmeAccounts: 'ACME accounts',
  acmeProfiles: 'ACME profiles',
  scepProfiles: 'SCEP profiles',
  cmpProfiles: 'CMP profiles',
  raProfiles: 'RA profiles',
  authorities: 'Authorities',
  discoveries: 'Discoveries',
  entities: 'Targets',
  complianceProfiles: 'Compliance profiles',
  tokenProfiles: 'Token profiles',
};

export const describeResource = (resource: Resource): string => plurals[resource] ?? `${Resource.labels[resource]}s`;

export const describeResources = (resources: readonly Resource[]): string => resources.map(describeResource).join(', ');

/** Returns the label for use within a sentence; abbreviations keep their case. */
export const resourceInSentence = (resource: Resource): string =>
  describeResource(resource).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

export function describeAction(name: string): string {
  // The API name describes how the action is checked, not its purpose.
  if (name === 'ANY') return 'Use in forms';
  return isAction(name) ? ResourceAction.labels[name] : name;
}

const isAction = (name: string): name is ResourceAction => Object.hasOwn(ResourceAction.labels, name);

/** Explanations of actions whose names are not self-explanatory. */
const meanings: Readonly<Record<string, string>> = {
  list: 'See that objects exist, with basic details',
  detail: 'See all details of an object, and reference it in other objects',
  members: 'See and use the members of an object, such as the certificates of an RA profile',
  enable: 'Enable and disable',
  ANY: 'Fill in forms that depend on an object, such as the attributes of a request',
  connect: 'Test and renew connections',
  approve: 'Approve or reject pending requests',
  archive: 'Hide from lists, and show again',
  checkCompliance: 'Start compliance checks',
  renew: 'Renew and rekey',
};

export const meaningOfAction = (name: string): string | undefined => meanings[name];

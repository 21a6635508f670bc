// For fixtures of areas that never require approvals.
import type { Approvals } from '../index.ts';

const unused = () => Promise.reject(new Error('Approvals are not part of this fixture.'));

export const noApprovals: Approvals = {
  registerSubject: () => undefined,
  registerUse: () => undefined,
  request: unused,
  listOfObject: unused,
  describeProfiles: unused,
  holdProfile: unused,
  expireOverdue: unused,
};

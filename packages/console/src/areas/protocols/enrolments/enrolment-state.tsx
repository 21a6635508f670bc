// The state of a request.
import { stateOf } from '../../../ui/state.tsx';
import { enrolmentStates } from './words.ts';

export const EnrolmentStateMark = stateOf(enrolmentStates);

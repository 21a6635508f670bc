/** Properties shared by all controls. */
export interface ControlFacts {
  readonly id: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly onBlur: () => void;
}

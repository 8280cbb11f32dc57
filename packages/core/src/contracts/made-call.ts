/** `<turn>.<step>.<index>`, of a call that code made `<its call>.<n>`: ours, never the provider's tool call id (that one is only echoed back). */
export type CallId = `${string}.${number}.${number}`;

/** One tool run that a model (or code) asked for. */
export interface Call {
  readonly id: CallId;
  readonly turnId: string;
  readonly step: number;
  readonly index: number;
  readonly providerCallId: string;
  /** As the model wrote it; may name nothing. */
  readonly toolName: string;
  /** The arguments as the model wrote them; may not be JSON. */
  readonly rawInput: string;
}

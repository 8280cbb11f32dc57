import type { ProviderData } from '../contracts/message.ts';

/** A tool call as the model wrote it: the name may name nothing, the arguments may not be JSON, ids may repeat. */
export interface ProposedCall {
  readonly providerCallId: string;
  readonly toolName: string;
  readonly rawInput: string;
  readonly providerData?: ProviderData;
}

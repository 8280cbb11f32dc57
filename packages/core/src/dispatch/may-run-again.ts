import type { ToolCapability } from '../contracts/capability.ts';

/** Running it twice does no more than running it once, in the word of somebody whom we believe. */
export function mayRunAgain({ trustedHints }: ToolCapability): boolean {
  return trustedHints.readOnly || trustedHints.idempotent;
}

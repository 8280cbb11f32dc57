import type { ToolCapability } from 'baigong';
import { estimateTokenCount } from 'tokenx';

/** About how many tokens a model pays for the tool in each request that it is sent with: name, description, schema. */
export function tokenCost({ wire }: ToolCapability): number {
  const { name, description, inputSchema } = wire;
  return estimateTokenCount(JSON.stringify({ name, description, parameters: inputSchema }));
}

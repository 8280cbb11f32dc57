import type { JsonObject } from '../contracts/json.ts';
import type { TurnRequest } from './turn-request.ts';

/** What the record says of the circumstances under which a turn begins or goes on. */
export function turnStartBody({ facts, table, model, admitted, epoch, from }: TurnRequest): JsonObject {
  const { id, role, authentication } = facts.principal;
  return {
    origin: { ...facts.origin },
    principal: { id, role, authentication },
    generation: table.generation,
    table: table.digest,
    model: model.name,
    admission: admitted.signature,
    epoch,
    from,
  };
}

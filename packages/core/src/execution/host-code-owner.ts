import { describeFailure, type FailureReading } from './describe-failure.ts';
import type { HostCodeOwner } from './host-code.ts';
import { showPosition } from './show-position.ts';

/** @example hostCodeOwner('plugin', 'lottery', code.reading) */
export function hostCodeOwner(kind: HostCodeOwner['kind'], name: string, reading: FailureReading): HostCodeOwner {
  return {
    kind,
    name,
    tell(thrown) {
      const { message } = describeFailure(thrown, 'en', reading);
      const position = reading.stacks.positionOf(thrown);
      return position === undefined ? { message } : { message, file: showPosition(position) };
    },
  };
}

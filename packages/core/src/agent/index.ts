export { callDirectly } from './call-directly.ts';
export { runTurn } from './run-turn.ts';
export { createSessionLanes } from './session-lanes.ts';
export type { Turn } from './turn.ts';
export { createTurnEvents } from './turn-events.ts';
export type { TurnLimits, TurnResult } from './turn-request.ts';
export { createVisibleTools } from './visible-tools.ts';

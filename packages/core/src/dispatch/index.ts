export { callEnd } from './call-end.ts';
export { createDispatch } from './create-dispatch.ts';
export { createHostFetch } from './host-fetch.ts';
export { recordableOutcome } from './recordable-outcome.ts';

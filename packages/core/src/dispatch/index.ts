export { createDispatch } from './create-dispatch.ts';
export { createHostFetch, type HostFetch } from './host-fetch.ts';
export { recordableOutcome } from './recordable-outcome.ts';

export { admit } from './admit.ts';
export { parsePermission } from './parse-permission.ts';
